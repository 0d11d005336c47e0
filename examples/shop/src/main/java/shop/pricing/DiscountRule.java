package shop.pricing;

import shop.cart.Cart;
import shop.cart.CartItem;
import shop.money.Money;

/** What makes a cart cheaper. */
public sealed interface DiscountRule {
    /** What the rule takes off the cart: never negative, and never more than the subtotal. */
    Money discount(Cart cart);

    /** A percentage of carts from a minimum on. */
    record PercentOff(int percent, long minimumCents) implements DiscountRule {
        public PercentOff {
            if (percent < 1 || percent > 100) {
                throw new IllegalArgumentException("percent out of range: " + percent);
            }
        }

        @Override
        public Money discount(Cart cart) {
            Money subtotal = cart.subtotal();
            return subtotal.cents() < minimumCents ? Money.zero(cart.currency()) : subtotal.share(percent * 100);
        }
    }

    /** A fixed amount, in the currency of the cart. */
    record AmountOff(Money amount) implements DiscountRule {
        public AmountOff {
            if (amount.isNegative()) {
                throw new IllegalArgumentException("negative discount: " + amount);
            }
        }

        @Override
        public Money discount(Cart cart) {
            if (amount.currency() != cart.currency()) {
                return Money.zero(cart.currency());
            }
            Money subtotal = cart.subtotal();
            return amount.compareTo(subtotal) > 0 ? subtotal : amount;
        }
    }

    /** Of each group of pieces of an article one is free. */
    record OneFree(String sku, int group) implements DiscountRule {
        public OneFree {
            if (group < 2) {
                throw new IllegalArgumentException("a group needs at least two pieces: " + group);
            }
        }

        @Override
        public Money discount(Cart cart) {
            for (CartItem item : cart.items()) {
                if (item.sku().equals(sku)) {
                    return item.price().times(item.quantity() / group);
                }
            }
            return Money.zero(cart.currency());
        }
    }
}
