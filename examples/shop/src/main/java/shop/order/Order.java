package shop.order;

import java.util.ArrayList;
import java.util.List;

/** An order with its history. */
public final class Order {
    private final int number;
    private final List<OrderState> history = new ArrayList<>();

    public Order(int number) {
        if (number <= 0) {
            throw new IllegalArgumentException("order numbers start at one: " + number);
        }
        this.number = number;
        history.add(OrderState.NEW);
    }

    public int number() {
        return number;
    }

    public OrderState state() {
        return history.get(history.size() - 1);
    }

    public List<OrderState> history() {
        return List.copyOf(history);
    }

    /** Applies an event, and refuses what is not possible. */
    public Order apply(OrderState.Event event) {
        OrderState next = state().after(event)
                .orElseThrow(() -> new IllegalStateException("cannot " + event + " an order that is " + state()));
        history.add(next);
        return this;
    }

    /** Applies events as long as they are possible; gives how many were. */
    public int applyAll(List<OrderState.Event> events) {
        int applied = 0;
        for (OrderState.Event event : events) {
            if (state().after(event).isEmpty()) {
                break;
            }
            apply(event);
            applied++;
        }
        return applied;
    }

    public boolean isRefunded() {
        return state().refunds(history.contains(OrderState.PAID));
    }
}
