package shop.pricing;

import java.util.List;
import shop.cart.Cart;
import shop.money.Money;

/** Works out what a cart costs. */
public final class PriceCalculator {
    /** The parts of a price; the total is the subtotal less the discount, and the tax. */
    public record Price(Money subtotal, Money discount, Money tax) {
        public Money total() {
            return subtotal.minus(discount).plus(tax);
        }
    }

    private final List<DiscountRule> rules;
    private final int taxBasisPoints;
    private final boolean combine;

    /**
     * @param rules what may make the cart cheaper
     * @param taxBasisPoints the tax in hundredths of a percent
     * @param combine whether all rules apply, and not only the best one
     */
    public PriceCalculator(List<DiscountRule> rules, int taxBasisPoints, boolean combine) {
        if (taxBasisPoints < 0) {
            throw new IllegalArgumentException("negative tax: " + taxBasisPoints);
        }
        this.rules = List.copyOf(rules);
        this.taxBasisPoints = taxBasisPoints;
        this.combine = combine;
    }

    public Price price(Cart cart) {
        Money subtotal = cart.subtotal();
        Money discount = combine ? sum(cart) : best(cart);
        if (discount.compareTo(subtotal) > 0) {
            discount = subtotal;
        }
        Money tax = subtotal.minus(discount).share(taxBasisPoints);
        return new Price(subtotal, discount, tax);
    }

    /** A short name for the kind of a rule, as it is printed on the bill. */
    public static String label(DiscountRule rule) {
        if (rule instanceof DiscountRule.PercentOff percent) {
            return percent.percent() == 100 ? "free" : percent.percent() + "% off";
        }
        if (rule instanceof DiscountRule.AmountOff amount) {
            return amount.amount() + " off";
        }
        return "one free of " + ((DiscountRule.OneFree) rule).group();
    }

    private Money best(Cart cart) {
        Money best = Money.zero(cart.currency());
        for (DiscountRule rule : rules) {
            best = best.max(rule.discount(cart));
        }
        return best;
    }

    private Money sum(Cart cart) {
        Money sum = Money.zero(cart.currency());
        for (DiscountRule rule : rules) {
            sum = sum.plus(rule.discount(cart));
        }
        return sum;
    }
}
