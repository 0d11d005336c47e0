package shop.cart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import shop.money.Currency;
import shop.money.Money;

/** What a customer wants to buy, in the order in which it was added. */
public final class Cart {
    private final Currency currency;
    private final List<CartItem> items = new ArrayList<>();

    public Cart(Currency currency) {
        this.currency = Objects.requireNonNull(currency, "currency");
    }

    public Currency currency() {
        return currency;
    }

    public List<CartItem> items() {
        return Collections.unmodifiableList(items);
    }

    public boolean isEmpty() {
        return items.isEmpty();
    }

    /** Adds an item, to the one of the same article if there is one. Its price must be the same then. */
    public Cart add(CartItem item) {
        if (item.price().currency() != currency) {
            throw new IllegalArgumentException("the cart is in " + currency);
        }
        int index = indexOf(item.sku());
        if (index < 0) {
            items.add(item);
        } else if (items.get(index).price().equals(item.price())) {
            items.set(index, items.get(index).add(item.quantity()));
        } else {
            throw new IllegalStateException("the price of " + item.sku() + " has changed");
        }
        return this;
    }

    /** Sets the quantity of an article; zero removes it. Tells whether the article was there. */
    public boolean setQuantity(String sku, int quantity) {
        int index = indexOf(sku);
        if (index < 0) {
            return false;
        }
        if (quantity == 0) {
            items.remove(index);
        } else {
            items.set(index, items.get(index).withQuantity(quantity));
        }
        return true;
    }

    public Optional<CartItem> find(String sku) {
        int index = indexOf(sku);
        return index < 0 ? Optional.empty() : Optional.of(items.get(index));
    }

    public int pieces() {
        int pieces = 0;
        for (CartItem item : items) {
            pieces += item.quantity();
        }
        return pieces;
    }

    public Money subtotal() {
        Money sum = Money.zero(currency);
        for (CartItem item : items) {
            sum = sum.plus(item.total());
        }
        return sum;
    }

    private int indexOf(String sku) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).sku().equals(sku)) {
                return i;
            }
        }
        return -1;
    }
}
