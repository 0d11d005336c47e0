import shakedown.Choose;

/** Classes that are first used after a choice; whether it can be seen when they are initialized differs. */
public final class Initializers {
    static int state;

    enum QuietEnum {
        A,
        B(3);

        final int number;

        QuietEnum() {
            this(1);
        }

        QuietEnum(int number) {
            this.number = number;
        }

        int weight() {
            return number;
        }
    }

    static class QuietTable {
        static final int[] NUMBERS = {1, 2, 3};
        static final String[] NAMES = {"one", "two"};
        static int changed = 7;

        static int sum() {
            int sum = changed;
            for (int number : NUMBERS) {
                sum += number;
            }
            assert sum > 0;
            return sum;
        }
    }

    static final class QuietNothing extends QuietTable {}

    static class LoudPrint {
        static int value = say();

        static int say() {
            System.out.print("initialized; ");
            return 1;
        }
    }

    static final class LoudParent extends LoudPrint {
        static int value = 2;
    }

    static final class LoudChoice {
        static int value = Choose.getInt(1, 2);
    }

    static final class LoudLook {
        static int value = state;
    }

    static final class LoudWrite {
        static int value;

        static {
            value = 1;
            state = 10;
        }
    }

    static final class LoudLoop {
        static int value;

        static {
            for (int i = 0; i < 3; i++) {
                value += i;
            }
        }
    }

    static final class LoudFailure {
        static int value = 1;

        static {
            value = 1 / (value - 1);
        }
    }

    public static void main(String[] args) {
        state = Choose.getInt(1, 2);
        int sum = state == 1 ? 0 : 100;
        sum += QuietEnum.B.weight() + QuietTable.sum() + new QuietNothing().hashCode() * 0;
        QuietTable.changed += 1000;
        QuietTable.NUMBERS[0] += 1000;
        sum += LoudLook.value + LoudParent.value + LoudWrite.value + LoudLoop.value + LoudChoice.value;
        try {
            sum += LoudFailure.value;
        } catch (ExceptionInInitializerError e) {
            sum += 10000;
        }
        System.out.println(sum);
    }
}
