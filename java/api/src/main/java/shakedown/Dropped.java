package shakedown;

/** Ends a path whose assumption failed. An Error, so that code under test that catches exceptions lets it pass. */
final class Dropped extends Error {
    private static final long serialVersionUID = 1L;

    /** One for all paths of a run: without a stack trace, because it is thrown millions of times. */
    Dropped() {
        super("an assumption failed, and the run drops this path", null, false, false);
    }

    /** Outside of any run there is nobody to drop the path, so this one says what to do. */
    Dropped(String message) {
        super(message);
    }
}
