package shop.text;

/** Roman numerals from 1 to 3999. */
public final class RomanNumerals {
    private static final int[] VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    private static final String[] SYMBOLS = {
        "M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"
    };

    private RomanNumerals() {
    }

    public static String format(int number) {
        if (number < 1 || number > 3999) {
            throw new IllegalArgumentException("no numeral for " + number);
        }
        StringBuilder text = new StringBuilder();
        int rest = number;
        for (int i = 0; i < VALUES.length; i++) {
            while (rest >= VALUES[i]) {
                text.append(SYMBOLS[i]);
                rest -= VALUES[i];
            }
        }
        return text.toString();
    }

    /** The value of a numeral; only the shortest way to write a number is taken. */
    public static int parse(String text) {
        int number = 0;
        int last = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            int value = digit(text.charAt(i));
            number += value < last ? -value : value;
            last = value;
        }
        if (number < 1 || number > 3999 || !format(number).equals(text)) {
            throw new IllegalArgumentException("not a numeral: " + text);
        }
        return number;
    }

    private static int digit(char c) {
        switch (c) {
            case 'I':
                return 1;
            case 'V':
                return 5;
            case 'X':
                return 10;
            case 'L':
                return 50;
            case 'C':
                return 100;
            case 'D':
                return 500;
            case 'M':
                return 1000;
            default:
                throw new IllegalArgumentException("not a digit: " + c);
        }
    }
}
