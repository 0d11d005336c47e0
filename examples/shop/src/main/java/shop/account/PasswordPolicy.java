package shop.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rules for passwords. */
public final class PasswordPolicy {
    public enum Strength {
        WEAK,
        FAIR,
        STRONG
    }

    private final int minLength;
    private final boolean needsSymbol;

    public PasswordPolicy(int minLength, boolean needsSymbol) {
        if (minLength < 4) {
            throw new IllegalArgumentException("too short to be of use: " + minLength);
        }
        this.minLength = minLength;
        this.needsSymbol = needsSymbol;
    }

    /** What is wrong with a password; nothing if it may be used. */
    public List<String> violations(String password, String userName) {
        List<String> violations = new ArrayList<>();
        if (password.length() < minLength) {
            violations.add("too short");
        }
        if (kinds(password) < 2) {
            violations.add("only one kind of characters");
        }
        if (needsSymbol && !hasSymbol(password)) {
            violations.add("no symbol");
        }
        if (!userName.isEmpty() && contains(password, userName)) {
            violations.add("contains the name");
        }
        return violations;
    }

    public Strength strength(String password) {
        int score = kinds(password) + password.length() / 4;
        if (hasRepeats(password)) {
            score -= 2;
        }
        if (score < 4) {
            return Strength.WEAK;
        }
        return score < 6 ? Strength.FAIR : Strength.STRONG;
    }

    private static int kinds(String password) {
        boolean lower = false;
        boolean upper = false;
        boolean digit = false;
        for (char c : password.toCharArray()) {
            if (c >= 'a' && c <= 'z') {
                lower = true;
            } else if (c >= 'A' && c <= 'Z') {
                upper = true;
            } else if (c >= '0' && c <= '9') {
                digit = true;
            }
        }
        return (lower ? 1 : 0) + (upper ? 1 : 0) + (digit ? 1 : 0) + (hasSymbol(password) ? 1 : 0);
    }

    private static boolean contains(String password, String userName) {
        return password.toLowerCase(Locale.ROOT).contains(userName.toLowerCase(Locale.ROOT));
    }

    private static boolean hasSymbol(String password) {
        for (int i = 0; i < password.length(); i++) {
            if ("!?#$%&*+-_.:".indexOf(password.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasRepeats(String password) {
        for (int i = 2; i < password.length(); i++) {
            char c = password.charAt(i);
            if (c == password.charAt(i - 1) && c == password.charAt(i - 2)) {
                return true;
            }
        }
        return false;
    }
}
