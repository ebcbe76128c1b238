package fairtrial;

import java.io.File;
import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.ClasspathResourceSource;
import org.junit.platform.engine.support.descriptor.FileSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.engine.support.descriptor.UriSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * The gate's name of a test of the JUnit Platform: "path::Class::Nested::method(types)[row]".
 *
 * Made from the unique id, which the engines promise to keep, not from what is displayed.
 */
final class PlatformNames {
    private final Sources sources;
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, String> owners = new HashMap<>();

    PlatformNames(Sources sources) {
        this.sources = sources;
    }

    /** The name of a test or container; the second of equal ones gets "#2". */
    synchronized String of(TestIdentifier test, TestPlan plan) {
        String id = test.getUniqueId();
        String known = names.get(id);
        if (known != null) {
            return known;
        }
        String made = made(test, plan);
        String name = made;
        for (int number = 2; owners.putIfAbsent(name, id) != null; number++) {
            name = made + '#' + number;
        }
        names.put(id, name);
        return name;
    }

    private String made(TestIdentifier test, TestPlan plan) {
        List<String[]> parts = segments(test.getUniqueId());
        String feature = feature(test, plan);
        if (feature != null) {
            return scenario(feature, test, plan);
        }
        String owner = null;
        List<String> path = new ArrayList<>();
        StringBuilder rows = new StringBuilder();
        for (String[] part : parts) {
            String value = part[1];
            switch (part[0]) {
                case "class":
                case "class-template":
                case "runner":
                case "spec":
                    owner = value;
                    path.clear();
                    path.addAll(classes(value));
                    break;
                case "test-template-invocation":
                case "class-template-invocation":
                case "dynamic-container":
                case "dynamic-test":
                    rows.append('[').append(value.startsWith("#") ? value.substring(1) : value)
                            .append(']');
                    break;
                case "method":
                case "test-factory":
                case "test-template":
                    path.add(method(value));
                    break;
                case "test":
                    String[] old = description(value);
                    if (old != null) {
                        owner = owner == null ? old[1] : owner;
                        path.clear();
                        path.addAll(classes(old[1]));
                        path.add(old[0]);
                        owner = old[1];
                        break;
                    }
                    path.add(value);
                    break;
                default:
                    path.add(value);
            }
        }
        if (owner == null) {
            owner = byParents(test, plan);
        }
        String file = owner == null ? sources.fileOf("") : sources.fileOf(owner);
        return file + "::" + String.join("::", path) + rows;
    }

    /** The parts of a unique id behind the last engine, decoded. */
    static List<String[]> segments(String id) {
        List<String[]> parts = new ArrayList<>();
        for (String each : id.split("/")) {
            String inner = each.substring(1, each.length() - 1);
            int colon = inner.indexOf(':');
            String type = decoded(inner.substring(0, colon));
            if (type.equals("engine")) {
                parts.clear();
            } else {
                parts.add(new String[] {type, decoded(inner.substring(colon + 1))});
            }
        }
        return parts;
    }

    private static String decoded(String text) {
        try {
            return text.indexOf('%') < 0 ? text : URLDecoder.decode(text.replace("+", "%2B"), "UTF-8");
        } catch (UnsupportedEncodingException | IllegalArgumentException odd) {
            return text;
        }
    }

    private static List<String> classes(String name) {
        List<String> found = new ArrayList<>();
        String own = name.substring(name.lastIndexOf('.') + 1);
        for (String each : own.split("(?<=[^$])\\$(?=[^$])")) {
            found.add(each);
        }
        return found;
    }

    /** "total()" is told as "total"; brackets stay where a name has some itself. */
    private static String method(String signature) {
        if (signature.endsWith("()") && signature.indexOf('(') == signature.length() - 2) {
            return signature.substring(0, signature.length() - 2);
        }
        return signature;
    }

    /** Method and class of JUnit 4's "method(class)"; null: it has another form. */
    static String[] description(String text) {
        int open = text.lastIndexOf('(');
        int close = text.lastIndexOf(')');
        if (open <= 0 || close < open) {
            return null;
        }
        String rest = text.substring(close + 1);
        return new String[] {text.substring(0, open) + rest, text.substring(open + 1, close)};
    }

    private String byParents(TestIdentifier test, TestPlan plan) {
        for (TestIdentifier one = test; one != null; one = plan.getParent(one).orElse(null)) {
            TestSource source = one.getSource().orElse(null);
            if (source instanceof ClassSource) {
                return ((ClassSource) source).getClassName();
            }
            if (source instanceof MethodSource) {
                return ((MethodSource) source).getClassName();
            }
        }
        return null;
    }

    /** The file of a scenario or its like, which is written in no class; null: it is. */
    private String feature(TestIdentifier test, TestPlan plan) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof ClasspathResourceSource) {
            String name = ((ClasspathResourceSource) source).getClasspathResourceName();
            return sources.resource(name);
        }
        if (source instanceof FileSource) {
            return sources.relative(((FileSource) source).getFile());
        }
        if (source instanceof UriSource) {
            URI uri = ((UriSource) source).getUri();
            return "file".equals(uri.getScheme()) ? sources.relative(new File(uri)) : null;
        }
        return null;
    }

    /** Scenarios have names, which stay when lines move; rows of an outline are counted. */
    private String scenario(String feature, TestIdentifier test, TestPlan plan) {
        List<String> path = new ArrayList<>();
        StringBuilder rows = new StringBuilder();
        for (TestIdentifier one = test; one != null; one = plan.getParent(one).orElse(null)) {
            TestIdentifier parent = plan.getParent(one).orElse(null);
            if (parent == null || !feature.equals(feature(one, plan))) {
                break;
            }
            String id = one.getUniqueId();
            String kind = id.substring(id.lastIndexOf('[') + 1);
            if (kind.startsWith("example")) {
                int number = new ArrayList<>(plan.getChildren(parent)).indexOf(one) + 1;
                rows.insert(0, "[" + number + ']');
            } else {
                path.add(0, one.getDisplayName().replace("::", ": "));
            }
        }
        return feature + "::" + String.join("::", path) + rows;
    }
}
