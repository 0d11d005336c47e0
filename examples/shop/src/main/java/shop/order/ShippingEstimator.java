package shop.order;

import shop.money.Currency;
import shop.money.Money;

/** What it costs and how long it takes to send a parcel. */
public final class ShippingEstimator {
    public enum Zone {
        DOMESTIC,
        EUROPE,
        WORLD
    }

    private static final int MAX_GRAMS = 31_500;

    private final long freeFromCents;

    /** Orders within the country are sent for free from an amount on. */
    public ShippingEstimator(long freeFromCents) {
        this.freeFromCents = freeFromCents;
    }

    public Money cost(int grams, Zone zone, boolean express, Money orderTotal) {
        if (grams <= 0 || grams > MAX_GRAMS) {
            throw new IllegalArgumentException("weight out of range: " + grams);
        }
        if (zone == Zone.DOMESTIC && !express && orderTotal.cents() >= freeFromCents) {
            return Money.zero(Currency.EUR);
        }
        long cents = base(grams) * factor(zone);
        if (express) {
            cents += Math.max(500, cents / 2);
        }
        return new Money(cents, Currency.EUR);
    }

    /** Working days until the parcel arrives. */
    public int days(Zone zone, boolean express, boolean remote) {
        int days = switch (zone) {
            case DOMESTIC -> 2;
            case EUROPE -> 5;
            default -> 12;
        };
        if (express) {
            days = (days + 1) / 2;
        }
        return remote ? days + 2 : days;
    }

    private static long base(int grams) {
        if (grams <= 500) {
            return 290;
        } else if (grams <= 2_000) {
            return 490;
        } else if (grams <= 10_000) {
            return 890;
        }
        int extraKilos = (grams - 10_000 + 999) / 1_000;
        return 890 + 60L * extraKilos;
    }

    private static long factor(Zone zone) {
        switch (zone) {
            case DOMESTIC:
                return 1;
            case EUROPE:
                return 2;
            default:
                return 4;
        }
    }
}
