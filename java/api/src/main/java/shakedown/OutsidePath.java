package shakedown;

/** What a thread has when no run is under way: random choices from the seed in the system property. */
final class OutsidePath extends Path {
    private final Dice dice = new Dice(seed());

    OutsidePath() {
        super(Integer.MIN_VALUE);
    }

    private static long seed() {
        String text = System.getProperty("shakedown.seed", "0");
        try {
            return Long.decode(text.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("shakedown.seed is \"" + text + "\"; it must be a whole number");
        }
    }

    @Override
    long choose(long last) {
        return last == 0 ? 0 : dice.upTo(last);
    }

    @Override
    Error drop() {
        return new Dropped("an assumption does not hold for these random choices, and no run is under way that would"
                + " try others; start the program with shakedown enumerate or with shakedown.Runs,"
                + " or set another -Dshakedown.seed");
    }

    @Override
    long[] decisions() {
        return new long[0];
    }
}
