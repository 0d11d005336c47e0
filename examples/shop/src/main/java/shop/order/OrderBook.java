package shop.order;

import java.util.ArrayList;
import java.util.List;

/** Matches offers to buy and to sell by price, and by time among equal prices. */
public final class OrderBook {
    public enum Side {
        BUY,
        SELL
    }

    /** A deal at the price of the offer that was there first. */
    public record Trade(int buyId, int sellId, long price, int quantity) {
    }

    private static final class Offer {
        final int id;
        final long price;
        int open;

        Offer(int id, long price, int open) {
            this.id = id;
            this.price = price;
            this.open = open;
        }
    }

    private final List<Offer> buys = new ArrayList<>();
    private final List<Offer> sells = new ArrayList<>();
    private int lastId;

    /** Places an offer and gives the trades it leads to; what is left of it stays in the book. */
    public List<Trade> place(Side side, long price, int quantity) {
        if (price <= 0 || quantity <= 0) {
            throw new IllegalArgumentException("price and quantity must be positive");
        }
        Offer offer = new Offer(++lastId, price, quantity);
        List<Offer> others = side == Side.BUY ? sells : buys;
        List<Trade> trades = new ArrayList<>();
        while (offer.open > 0 && !others.isEmpty() && crosses(side, price, others.get(0).price)) {
            Offer best = others.get(0);
            int traded = Math.min(offer.open, best.open);
            offer.open -= traded;
            best.open -= traded;
            trades.add(side == Side.BUY
                    ? new Trade(offer.id, best.id, best.price, traded)
                    : new Trade(best.id, offer.id, best.price, traded));
            if (best.open == 0) {
                others.remove(0);
            }
        }
        if (offer.open > 0) {
            insert(side, offer);
        }
        return trades;
    }

    /** Takes an offer out of the book; tells whether it was there. */
    public boolean cancel(int id) {
        return buys.removeIf(offer -> offer.id == id) || sells.removeIf(offer -> offer.id == id);
    }

    /** The best price of a side, or zero if there is none. */
    public long best(Side side) {
        List<Offer> offers = side == Side.BUY ? buys : sells;
        return offers.isEmpty() ? 0 : offers.get(0).price;
    }

    public int depth(Side side) {
        int depth = 0;
        for (Offer offer : side == Side.BUY ? buys : sells) {
            depth += offer.open;
        }
        return depth;
    }

    private void insert(Side side, Offer offer) {
        List<Offer> offers = side == Side.BUY ? buys : sells;
        int at = 0;
        while (at < offers.size() && !isBetter(side, offer.price, offers.get(at).price)) {
            at++;
        }
        offers.add(at, offer);
    }

    private static boolean crosses(Side side, long price, long other) {
        return side == Side.BUY ? price >= other : price <= other;
    }

    private static boolean isBetter(Side side, long price, long other) {
        return side == Side.BUY ? price > other : price < other;
    }
}
