package fairtrial;

import java.util.Locale;

/** One event of a report as a line of JSON. */
final class Line {
    /** Longer texts are cut: no reader takes more. */
    private static final int LIMIT = 39_000;
    private final StringBuilder text = new StringBuilder("{\"event\":");

    Line(String event) {
        quote(text, event);
    }

    Line text(String key, String value) {
        if (value == null) {
            return this;
        }
        name(key);
        quote(text, value.length() > LIMIT ? value.substring(0, LIMIT) : value);
        return this;
    }

    Line number(String key, double value) {
        name(key);
        text.append(String.format(Locale.ROOT, "%.6f", value));
        return this;
    }

    Line raw(String key, String json) {
        name(key);
        text.append(json);
        return this;
    }

    private void name(String key) {
        text.append(',');
        quote(text, key);
        text.append(':');
    }

    static StringBuilder quote(StringBuilder to, String value) {
        to.append('"');
        for (int at = 0; at < value.length(); at++) {
            char sign = value.charAt(at);
            if (sign == '"' || sign == '\\') {
                to.append('\\').append(sign);
            } else if (sign < ' ' || sign > '~') {
                // Half a pair of surrogates is legal here, and in no UTF-8.
                to.append(String.format(Locale.ROOT, "\\u%04x", (int) sign));
            } else {
                to.append(sign);
            }
        }
        return to.append('"');
    }

    @Override
    public String toString() {
        return text + "}\n";
    }
}
