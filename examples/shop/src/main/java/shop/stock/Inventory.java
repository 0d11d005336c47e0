package shop.stock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import shop.util.Result;

/** How many pieces of each article are in stock, and how many of these are reserved. */
public final class Inventory {
    private final Map<String, Integer> onHand = new HashMap<>();
    private final Map<String, Integer> reserved = new HashMap<>();

    public void receive(String sku, int quantity) {
        requirePositive(quantity);
        onHand.merge(sku, quantity, Math::addExact);
    }

    public int onHand(String sku) {
        return onHand.getOrDefault(sku, 0);
    }

    /** What can still be reserved. */
    public int available(String sku) {
        return onHand(sku) - reserved.getOrDefault(sku, 0);
    }

    /** Reserves pieces; gives how many are left, or fails and changes nothing. */
    public Result<Integer> reserve(String sku, int quantity) {
        requirePositive(quantity);
        if (!onHand.containsKey(sku)) {
            return Result.failure("unknown article: " + sku);
        }
        int available = available(sku);
        if (quantity > available) {
            return Result.failure("only " + available + " left of " + sku);
        }
        reserved.merge(sku, quantity, Integer::sum);
        return Result.success(available - quantity);
    }

    /** Gives up a reservation, or as much of it as there is; gives how many pieces that were. */
    public int release(String sku, int quantity) {
        requirePositive(quantity);
        int held = reserved.getOrDefault(sku, 0);
        if (quantity >= held) {
            reserved.remove(sku);
            return held;
        }
        reserved.put(sku, held - quantity);
        return quantity;
    }

    /** Sends away pieces that were reserved before. */
    public void ship(String sku, int quantity) {
        if (reserved.getOrDefault(sku, 0) < quantity) {
            throw new IllegalStateException("not enough reserved of " + sku);
        }
        release(sku, quantity);
        onHand.merge(sku, -quantity, Integer::sum);
    }

    /** The articles of which less than so many pieces are available, in the order of their numbers. */
    public List<String> below(int limit) {
        List<String> result = new ArrayList<>();
        for (String sku : onHand.keySet()) {
            if (available(sku) < limit) {
                result.add(sku);
            }
        }
        result.sort(null);
        return result;
    }

    private static void requirePositive(int quantity) {
        if (quantity <= 0) {
            throw new IllegalArgumentException("quantity must be positive: " + quantity);
        }
    }
}
