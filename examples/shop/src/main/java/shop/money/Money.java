package shop.money;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An amount in the smallest unit of its currency, such as cents. Overflows throw an ArithmeticException. */
public record Money(long cents, Currency currency) implements Comparable<Money> {
    public Money {
        Objects.requireNonNull(currency, "currency");
    }

    public static Money of(long units, int cents, Currency currency) {
        if (cents < 0 || cents >= currency.unit()) {
            throw new IllegalArgumentException("cents out of range: " + cents);
        }
        long whole = Math.multiplyExact(units, currency.unit());
        return new Money(Math.addExact(whole, units < 0 ? -cents : cents), currency);
    }

    public static Money zero(Currency currency) {
        return new Money(0, currency);
    }

    public Money plus(Money other) {
        requireSame(other);
        return new Money(Math.addExact(cents, other.cents), currency);
    }

    public Money minus(Money other) {
        requireSame(other);
        return new Money(Math.subtractExact(cents, other.cents), currency);
    }

    public Money times(long factor) {
        return new Money(Math.multiplyExact(cents, factor), currency);
    }

    /** A share in hundredths of a percent, rounded half away from zero. */
    public Money share(int basisPoints) {
        long product = Math.multiplyExact(cents, (long) basisPoints);
        return new Money(Math.addExact(product, product < 0 ? -5_000 : 5_000) / 10_000, currency);
    }

    /** Parts that differ by at most one cent and add up to this amount; larger ones come first. */
    public List<Money> split(int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("parts must be positive: " + parts);
        }
        long base = Math.floorDiv(cents, (long) parts);
        long larger = Math.floorMod(cents, (long) parts);
        List<Money> result = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            result.add(new Money(i < larger ? base + 1 : base, currency));
        }
        return result;
    }

    public boolean isNegative() {
        return cents < 0;
    }

    public Money max(Money other) {
        return compareTo(other) >= 0 ? this : other;
    }

    @Override
    public int compareTo(Money other) {
        requireSame(other);
        return Long.compare(cents, other.cents);
    }

    @Override
    public String toString() {
        long unit = currency.unit();
        String sign = cents < 0 && cents / unit == 0 ? "-" : "";
        String whole = currency + " " + sign + cents / unit;
        if (unit == 1) {
            return whole;
        }
        long rest = Math.abs(cents % unit);
        return whole + (rest < 10 ? ".0" : ".") + rest;
    }

    private void requireSame(Money other) {
        if (currency != other.currency) {
            throw new IllegalArgumentException("cannot mix " + currency + " and " + other.currency);
        }
    }
}
