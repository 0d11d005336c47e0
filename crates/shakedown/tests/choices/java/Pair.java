/** A record: its methods are generated when the program is linked. */
public record Pair(int number, Object thing) implements java.io.Serializable {}
