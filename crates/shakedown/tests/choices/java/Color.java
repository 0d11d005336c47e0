/** An enum, one of whose constants has a class of its own. */
public enum Color {
    RED,
    GREEN {
        @Override
        int weight() {
            return 7;
        }
    },
    BLUE;

    int weight() {
        return ordinal();
    }
}
