package shop.math;

/** Evaluates sums and products of whole numbers, as in {@code 2*(3+4)-5}. */
public final class ExpressionParser {
    private final String text;
    private int position;

    private ExpressionParser(String text) {
        this.text = text;
    }

    /** The value of an expression; errors name the position, and overflows throw an ArithmeticException. */
    public static long evaluate(String text) {
        ExpressionParser parser = new ExpressionParser(text);
        long value = parser.sum();
        if (parser.position < text.length()) {
            throw parser.error("unexpected " + parser.peek());
        }
        return value;
    }

    private long sum() {
        long value = product();
        while (true) {
            if (take('+')) {
                value = Math.addExact(value, product());
            } else if (take('-')) {
                value = Math.subtractExact(value, product());
            } else {
                return value;
            }
        }
    }

    private long product() {
        long value = factor();
        while (true) {
            if (take('*')) {
                value = Math.multiplyExact(value, factor());
            } else if (take('/')) {
                long divisor = factor();
                if (divisor == 0) {
                    throw error("division by zero");
                }
                value /= divisor;
            } else {
                return value;
            }
        }
    }

    private long factor() {
        if (take('-')) {
            return Math.negateExact(factor());
        }
        if (!take('(')) {
            return number();
        }
        long value = sum();
        if (!take(')')) {
            throw error("missing )");
        }
        return value;
    }

    private long number() {
        if (!isDigit(peek())) {
            throw error("expected a number");
        }
        long value = 0;
        while (position < text.length() && isDigit(text.charAt(position))) {
            value = Math.addExact(Math.multiplyExact(value, 10L), text.charAt(position) - '0');
            position++;
        }
        return value;
    }

    private boolean take(char expected) {
        if (peek() != expected) {
            return false;
        }
        position++;
        return true;
    }

    /** The next character that is not a blank, or 0 at the end. */
    private char peek() {
        while (position < text.length() && text.charAt(position) == ' ') {
            position++;
        }
        return position < text.length() ? text.charAt(position) : 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private IllegalArgumentException error(String message) {
        return new IllegalArgumentException(message + " at " + position);
    }
}
