package shop.cart;

import java.util.Objects;
import shop.money.Money;

/** A number of pieces of one article. */
public record CartItem(String sku, Money price, int quantity) {
    public static final int MAX_QUANTITY = 99;

    public CartItem {
        Objects.requireNonNull(price, "price");
        if (sku == null || sku.isBlank()) {
            throw new IllegalArgumentException("an article needs a number");
        }
        if (price.isNegative()) {
            throw new IllegalArgumentException("negative price: " + price);
        }
        if (quantity < 1 || quantity > MAX_QUANTITY) {
            throw new IllegalArgumentException("quantity out of range: " + quantity);
        }
    }

    public Money total() {
        return price.times(quantity);
    }

    /** The same article with more pieces, but no more than can be ordered. */
    public CartItem add(int more) {
        if (more < 1) {
            throw new IllegalArgumentException("nothing to add: " + more);
        }
        int sum = more > MAX_QUANTITY - quantity ? MAX_QUANTITY : quantity + more;
        return new CartItem(sku, price, sum);
    }

    public CartItem withQuantity(int quantity) {
        return quantity == this.quantity ? this : new CartItem(sku, price, quantity);
    }
}
