package shop.text;

import java.util.Set;

/** Turns titles into what can stand in an address. */
public final class Slug {
    private Slug() {
    }

    /** Letters and digits in lower case, and single hyphens between them. */
    public static String of(String title) {
        StringBuilder slug = new StringBuilder();
        boolean gap = false;
        for (int i = 0; i < title.length(); i++) {
            String plain = plain(title.charAt(i));
            if (plain.isEmpty()) {
                gap = true;
            } else {
                if (gap && slug.length() > 0) {
                    slug.append('-');
                }
                slug.append(plain);
                gap = false;
            }
        }
        return slug.length() == 0 ? "untitled" : slug.toString();
    }

    /** A slug of limited length that does not end in the middle of a word if that can be avoided. */
    public static String of(String title, int maxLength) {
        if (maxLength < 1) {
            throw new IllegalArgumentException("no room: " + maxLength);
        }
        String slug = of(title);
        if (slug.length() <= maxLength) {
            return slug;
        }
        int cut = slug.lastIndexOf('-', maxLength);
        return slug.substring(0, cut > 0 ? cut : maxLength);
    }

    /** The slug with the first free number behind it, if it is taken. */
    public static String unique(String slug, Set<String> taken) {
        String result = slug;
        for (int n = 2; taken.contains(result); n++) {
            result = slug + "-" + n;
        }
        return result;
    }

    private static String plain(char c) {
        if (c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
            return String.valueOf(c);
        }
        if (c >= 'A' && c <= 'Z') {
            return String.valueOf((char) (c - 'A' + 'a'));
        }
        return switch (c) {
            case '\u00e4' -> "ae";
            case '\u00f6' -> "oe";
            case '\u00fc' -> "ue";
            case '\u00df' -> "ss";
            case '&' -> "and";
            default -> "";
        };
    }
}
