package shop.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Breaks texts into lines of a given width. */
public final class TextWrapper {
    public enum Align {
        LEFT,
        RIGHT,
        CENTER
    }

    private final int width;
    private final Align align;

    public TextWrapper(int width, Align align) {
        if (width < 1) {
            throw new IllegalArgumentException("no room: " + width);
        }
        this.width = width;
        this.align = Objects.requireNonNull(align, "align");
    }

    /** The lines of a text. Words that are too long for a line are broken. */
    public List<String> wrap(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : words(text)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(aligned(line.toString()));
                line.setLength(0);
            }
            if (line.length() > 0) {
                line.append(' ');
            }
            line.append(word);
        }
        if (line.length() > 0) {
            lines.add(aligned(line.toString()));
        }
        return lines;
    }

    private List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == ' ' || text.charAt(i) == '\n') {
                if (i > start) {
                    words.add(text.substring(start, i));
                }
                start = i + 1;
            } else if (i - start == width) {
                words.add(text.substring(start, i));
                start = i;
            }
        }
        return words;
    }

    private String aligned(String line) {
        int space = width - line.length();
        return switch (align) {
            case LEFT -> line;
            case RIGHT -> " ".repeat(space) + line;
            default -> " ".repeat(space / 2) + line;
        };
    }
}
