/** An object with a field of several kinds, for generated programs to fill. */
public class Cell implements java.io.Serializable, Cloneable, Comparable<Cell> {
    private static final long serialVersionUID = 1L;

    int v;
    long w;
    boolean flag;
    char letter;
    byte small;
    double real;
    String text;
    Object any;
    Cell next;
    volatile int shared;
    volatile Cell other;

    Cell() {}

    Cell(int v) {
        this.v = v;
    }

    int value() {
        return v;
    }

    @Override
    public Cell clone() {
        try {
            return (Cell) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public int compareTo(Cell that) {
        return Integer.compare(v, that.v);
    }
}
