package fairtrial;

import java.util.ArrayList;
import java.util.List;
import org.junit.runner.Description;

/** The gate's name of a JUnit 3 or 4 test: "path::Class::Nested::method[row]". */
final class Junit4Names {
    private final Sources sources;

    Junit4Names(Sources sources) {
        this.sources = sources;
    }

    String of(Description test) {
        String owner = test.getClassName();
        String method = test.getMethodName();
        String own = owner.substring(owner.lastIndexOf('.') + 1);
        String path = sources.fileOf(owner) + "::" + own.replaceAll("(?<=[^$])\\$(?=[^$])", "::");
        return method == null ? path : path + "::" + method;
    }

    List<String> below(Description test) {
        List<String> found = new ArrayList<>();
        if (test.isTest()) {
            found.add(of(test));
        }
        for (Description each : test.getChildren()) {
            found.addAll(below(each));
        }
        return found;
    }
}
