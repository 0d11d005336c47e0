import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;

/** Objects of the library that break an assertion. */
class Containers {
    static void set(Set<String> set) {
        assert set == null || !set.contains("x") || set.size() != 2;
    }

    static void map(Map<String, Integer> map) {
        assert map == null || !Integer.valueOf(7).equals(map.get("seven"));
    }

    static void sorted(SortedMap<Integer, String> map) {
        assert map == null || map.isEmpty() || map.lastKey() - map.firstKey() != 5;
    }

    static void queue(Queue<Integer> queue) {
        assert queue == null || queue.size() != 3;
    }

    static void deque(Deque<String> deque) {
        assert deque == null || !"end".equals(deque.peekLast());
    }

    static void iterator(Iterator<String> iterator) {
        assert iterator == null || !iterator.hasNext() || !"go".equals(iterator.next());
    }

    static void builder(StringBuilder builder) {
        assert builder == null || builder.length() != 2 || builder.charAt(1) != 'z';
    }

    static void integer(BigInteger number) {
        assert number == null || !number.equals(BigInteger.valueOf(77));
    }

    static void decimal(BigDecimal number) {
        assert number == null || number.compareTo(new BigDecimal("1.5")) != 0;
    }

    static void optional(Optional<Integer> number) {
        assert number == null || number.orElse(0) != 9;
    }

    static void date(LocalDate date) {
        assert date == null || date.getDayOfMonth() != 29 || date.getMonthValue() != 2;
    }

    static void number(Number number) {
        assert number == null || number.intValue() != 5;
    }

    static void sound(Deque<Integer> deque) {
        assert deque == null || deque.size() >= 0;
    }
}
