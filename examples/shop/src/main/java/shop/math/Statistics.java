package shop.math;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Simple statistics over whole numbers. */
public final class Statistics {
    private final int[] sorted;

    public Statistics(int... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("nothing to count");
        }
        sorted = Arrays.stream(values).sorted().toArray();
    }

    public int count() {
        return sorted.length;
    }

    public long sum() {
        return Arrays.stream(sorted).asLongStream().sum();
    }

    public double mean() {
        return (double) sum() / count();
    }

    /** The middle value, or the mean of the two in the middle. */
    public double median() {
        int middle = count() / 2;
        if (count() % 2 == 1) {
            return sorted[middle];
        }
        return ((double) sorted[middle - 1] + sorted[middle]) / 2;
    }

    public long range() {
        return (long) sorted[sorted.length - 1] - sorted[0];
    }

    /** The values that occur most often, in ascending order. */
    public List<Integer> modes() {
        Map<Integer, Long> counts = Arrays.stream(sorted).boxed()
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        long most = counts.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() == most)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The mean square distance from the mean. */
    public double variance() {
        double mean = mean();
        return Arrays.stream(sorted).mapToDouble(value -> (value - mean) * (value - mean)).sum() / count();
    }

    /** The smallest value that is at least as large as so many percent of all. */
    public int percentile(int percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent out of range: " + percent);
        }
        int rank = (int) Math.ceil(percent / 100.0 * count());
        return sorted[rank == 0 ? 0 : rank - 1];
    }

    /** A word for how a value lies among the others. */
    public String classify(int value) {
        if (value < sorted[0] || value > sorted[sorted.length - 1]) {
            return "outside";
        }
        double distance = value - mean();
        if (distance * distance <= variance()) {
            return "typical";
        }
        return distance < 0 ? "low" : "high";
    }
}
