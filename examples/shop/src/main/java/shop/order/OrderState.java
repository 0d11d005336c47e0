package shop.order;

import java.util.Optional;

/** Where an order stands, and where it may go from there. */
public enum OrderState {
    NEW,
    PAID,
    PACKED,
    SHIPPED,
    DELIVERED,
    RETURNED,
    CANCELLED;

    /** What may happen to an order. */
    public enum Event {
        PAY,
        PACK,
        SHIP,
        DELIVER,
        SEND_BACK,
        CANCEL
    }

    /** The state after an event, if the event is possible in this state. */
    public Optional<OrderState> after(Event event) {
        return Optional.ofNullable(next(event));
    }

    public boolean isFinal() {
        return this == RETURNED || this == CANCELLED;
    }

    /** Whether the customer gets the money back when the order ends here. */
    public boolean refunds(boolean paid) {
        return switch (this) {
            case RETURNED -> true;
            case CANCELLED -> paid;
            default -> false;
        };
    }

    private OrderState next(Event event) {
        switch (event) {
            case PAY:
                return this == NEW ? PAID : null;
            case PACK:
                return this == PAID ? PACKED : null;
            case SHIP:
                return this == PACKED ? SHIPPED : null;
            case DELIVER:
                return this == SHIPPED ? DELIVERED : null;
            case SEND_BACK:
                return this == SHIPPED || this == DELIVERED ? RETURNED : null;
            default:
                return ordinal() < SHIPPED.ordinal() ? CANCELLED : null;
        }
    }
}
