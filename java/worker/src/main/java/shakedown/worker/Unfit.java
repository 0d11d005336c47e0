package shakedown.worker;

/** A request that does not fit the program: a class that is not there, a value of the wrong type. */
final class Unfit extends Exception {
    private static final long serialVersionUID = 1L;

    Unfit(String message) {
        super(message, null, false, false);
    }
}
