package boxes;

/** A superclass with a field that its subclass has too. */
class Base {
    String name;
}
