package fairtrial;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a thrown exception says: type, message, values compared, frames. */
final class Thrown {
    private static final int DEEPEST = 190;
    private static final Pattern LAMBDA = Pattern.compile("lambda\\$(.+?)\\$\\d+");

    private Thrown() {}

    static void tell(Throwable thrown, Sources sources, Line line) {
        line.text("type", thrown.getClass().getName());
        line.text("message", message(thrown));
        line.text("expected", compared(thrown, "getExpected"));
        line.text("actual", compared(thrown, "getActual"));
        line.text("text", trace(thrown));
        line.raw("frames", frames(telling(thrown, sources), sources));
    }

    private static String message(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable broken) {
            return "its message can't be told: " + broken.getClass().getName();
        }
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        try {
            thrown.printStackTrace(new PrintWriter(text, true));
        } catch (Throwable broken) {
            text.append(broken.getClass().getName());
        }
        String all = text.toString();
        return all.length() > 20_000 ? all.substring(0, 20_000) : all;
    }

    /** The values of opentest4j's and JUnit 4's comparing failures, and of their like. */
    private static String compared(Throwable thrown, String getter) {
        try {
            Object value = thrown.getClass().getMethod(getter).invoke(thrown);
            if (value == null || value instanceof String) {
                return (String) value;
            }
            Object shown = value.getClass().getMethod("getStringRepresentation").invoke(value);
            return String.valueOf(shown);
        } catch (ReflectiveOperationException | LinkageError none) {
            return null;
        } catch (RuntimeException broken) {
            return null;
        }
    }

    /** The exception itself, or the first cause that went through the project's code. */
    private static Throwable telling(Throwable thrown, Sources sources) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable one = thrown; one != null && seen.add(one); one = one.getCause()) {
            for (StackTraceElement each : one.getStackTrace()) {
                if (sources.file(each.getClassName(), each.getFileName()) != null) {
                    return one;
                }
            }
        }
        return thrown;
    }

    private static String frames(Throwable thrown, Sources sources) {
        StackTraceElement[] stack = thrown.getStackTrace();
        StringBuilder json = new StringBuilder("[");
        for (int at = Math.min(stack.length, DEEPEST) - 1; at >= 0; at--) {
            StackTraceElement each = stack[at];
            String path = sources.file(each.getClassName(), each.getFileName());
            json.append(json.length() > 1 ? ",[" : "[");
            Line.quote(json, path == null ? each.getClassName() : path).append(',');
            Line.quote(json, function(each)).append(',');
            json.append(Math.max(0, each.getLineNumber())).append(']');
        }
        return json.append(']').toString();
    }

    private static String function(StackTraceElement frame) {
        String owner = frame.getClassName();
        owner = owner.substring(owner.lastIndexOf('.') + 1).replace('$', '.');
        String method = frame.getMethodName();
        Matcher lambda = LAMBDA.matcher(method);
        return owner + '.' + (lambda.matches() ? lambda.group(1) : method);
    }
}
