/** A subclass, so that objects differ in their class. */
public final class Wide extends Cell {
    private static final long serialVersionUID = 1L;

    long extra;

    @Override
    int value() {
        return v + 100;
    }
}
