package shop.account;

/** A customer with an address that looks like one. */
public record Customer(String name, String email, int points) {
    public enum Tier {
        BASIC,
        SILVER,
        GOLD
    }

    public Customer {
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("a customer needs a name");
        }
        if (!isEmail(email)) {
            throw new IllegalArgumentException("not an address: " + email);
        }
        if (points < 0) {
            throw new IllegalArgumentException("negative points: " + points);
        }
        name = name.trim();
    }

    public Tier tier() {
        if (points >= 1_000) {
            return Tier.GOLD;
        }
        return points >= 200 ? Tier.SILVER : Tier.BASIC;
    }

    /** One point for each full ten units spent, twice as many for gold. */
    public Customer earn(int units) {
        if (units < 0) {
            throw new IllegalArgumentException("negative amount: " + units);
        }
        int earned = units / 10;
        if (tier() == Tier.GOLD) {
            earned *= 2;
        }
        return new Customer(name, email, Math.addExact(points, earned));
    }

    /** One at sign with something before it, and a dot with something around it after it. */
    public static boolean isEmail(String text) {
        if (text == null || text.indexOf(' ') >= 0) {
            return false;
        }
        int at = text.indexOf('@');
        if (at < 1 || at != text.lastIndexOf('@')) {
            return false;
        }
        int dot = text.lastIndexOf('.');
        return dot > at + 1 && dot < text.length() - 1;
    }
}
