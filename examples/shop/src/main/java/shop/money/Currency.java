package shop.money;

/** The currencies that the shop takes. */
public enum Currency {
    EUR("\u20ac", 2),
    USD("$", 2),
    JPY("\u00a5", 0);

    private final String symbol;
    private final int digits;

    Currency(String symbol, int digits) {
        this.symbol = symbol;
        this.digits = digits;
    }

    public String symbol() {
        return symbol;
    }

    /** How many digits an amount has behind the point. */
    public int digits() {
        return digits;
    }

    /** The number of smallest units in one unit. */
    public long unit() {
        return digits == 0 ? 1 : 100;
    }

    /** Finds a currency by its code in any case, or by its symbol. */
    public static Currency parse(String text) {
        for (Currency currency : values()) {
            if (currency.name().equalsIgnoreCase(text) || currency.symbol.equals(text)) {
                return currency;
            }
        }
        throw new IllegalArgumentException("unknown currency: " + text);
    }
}
