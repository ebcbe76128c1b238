package fairtrial;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Puts what was discovered into the order of a list of unique ids; it leaves nothing out.
 *
 * Engines run their tests in the order of the tree that they discovered, and a filter
 * sees that tree behind every orderer of the project. Rows are made while they run.
 */
final class Order implements PostDiscoveryFilter {
    private final List<String> wanted;
    private final Map<String, Integer> places = new HashMap<>();
    private final Set<TestDescriptor> done = new HashSet<>();

    Order(List<String> wanted) {
        this.wanted = wanted;
    }

    @Override
    public FilterResult apply(TestDescriptor descriptor) {
        TestDescriptor top = descriptor;
        while (top.getParent().isPresent()) {
            top = top.getParent().get();
        }
        if (done.add(top)) {
            sort(top);
        }
        return FilterResult.included(null);
    }

    private void sort(TestDescriptor parent) {
        List<TestDescriptor> children = new ArrayList<>(parent.getChildren());
        if (children.size() > 1) {
            children.sort(Comparator.comparingInt(each -> place(each.getUniqueId().toString())));
            // Children are kept in the order in which they were put in.
            for (TestDescriptor each : children) {
                parent.removeChild(each);
            }
            for (TestDescriptor each : children) {
                parent.addChild(each);
            }
        }
        for (TestDescriptor each : children) {
            sort(each);
        }
    }

    private int place(String id) {
        return places.computeIfAbsent(id, key -> {
            for (int at = 0; at < wanted.size(); at++) {
                String each = wanted.get(at);
                if (each.equals(key) || each.startsWith(key + "/")) {
                    return at;
                }
            }
            return wanted.size();
        });
    }

    /**
     * The tests in runs of their own order: a container that was left is not entered again
     * within a run, and rows of one template stand there as they count.
     */
    static List<List<String>> parts(List<String> tests, UnaryOperator<String> ids) {
        List<List<String>> parts = new ArrayList<>();
        Set<String> left = new HashSet<>();
        String last = "";
        int row = 0;
        for (String test : tests) {
            String id = ids.apply(test);
            boolean again = parts.isEmpty() || within(id, left);
            int number = number(id);
            if (!again && number <= row && parent(id).equals(parent(last))) {
                again = number > 0;
            }
            if (again) {
                parts.add(new ArrayList<>());
                left.clear();
                last = "";
            }
            for (String up = parent(last); !up.isEmpty() && !id.startsWith(up + "/"); up = parent(up)) {
                left.add(up);
            }
            // Nested classes run behind the methods of the class around them.
            if (!last.isEmpty() && last.contains("/[nested-class")) {
                String outer = last.substring(0, last.indexOf("/[nested-class"));
                if (parent(id).equals(outer)) {
                    parts.add(new ArrayList<>());
                    left.clear();
                }
            }
            parts.get(parts.size() - 1).add(test);
            last = id;
            row = number;
        }
        return parts;
    }

    private static boolean within(String id, Set<String> left) {
        for (String up = parent(id); !up.isEmpty(); up = parent(up)) {
            if (left.contains(up)) {
                return true;
            }
        }
        return false;
    }

    private static String parent(String id) {
        int slash = id.lastIndexOf("/[");
        return slash < 0 ? "" : id.substring(0, slash);
    }

    private static int number(String id) {
        int at = id.lastIndexOf(":#");
        try {
            return at < 0 ? 0 : Integer.parseInt(id.substring(at + 2, id.length() - 1));
        } catch (NumberFormatException other) {
            return 0;
        }
    }
}
