package fairtrial;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a file of "key TAB value" lines says; keys may stand there more than once.
 *
 * Backslashes, tabs and line ends in a value are written \\, \t, \n and \r.
 */
final class Plan {
    private final Map<String, List<String>> values = new HashMap<>();

    static Plan read(File file) throws IOException {
        Plan plan = new Plan();
        byte[] data = Files.readAllBytes(file.toPath());
        for (String line : new String(data, StandardCharsets.UTF_8).split("\n")) {
            int tab = line.indexOf('\t');
            if (tab > 0) {
                plan.values.computeIfAbsent(line.substring(0, tab), key -> new ArrayList<>())
                        .add(plain(line.substring(tab + 1)));
            }
        }
        return plan;
    }

    List<String> all(String key) {
        return values.getOrDefault(key, Collections.emptyList());
    }

    String one(String key) {
        List<String> found = all(key);
        return found.isEmpty() ? "" : found.get(0);
    }

    private static String plain(String value) {
        if (value.indexOf('\\') < 0) {
            return value;
        }
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < value.length(); at++) {
            char sign = value.charAt(at);
            if (sign != '\\' || at + 1 == value.length()) {
                text.append(sign);
                continue;
            }
            char next = value.charAt(++at);
            text.append(next == 'n' ? '\n' : next == 'r' ? '\r' : next == 't' ? '\t' : next);
        }
        return text.toString();
    }
}
