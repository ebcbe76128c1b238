package fairtrial;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.RunWith;
import org.junit.runner.manipulation.Filter;

/** Lists and runs tests of JUnit 3 and 4 by class and method, in the order asked for. */
final class Junit4Run implements Run {
    private final Plan plan;
    private final Plan fork;
    private final Report report;
    private final Sources sources;
    private final Junit4Names names;

    Junit4Run(Plan plan, Plan fork, Report report, Sources sources) {
        this.plan = plan;
        this.fork = fork;
        this.report = report;
        this.sources = sources;
        names = new Junit4Names(sources);
    }

    @Override
    public boolean go() {
        if (plan.one("mode").equals("list")) {
            for (String each : fork.all("class")) {
                Class<?> owner = loaded(each);
                if (owner != null && isTest(owner)) {
                    report.listed(all(owner));
                }
            }
            return true;
        }
        return run(plan.all("test"));
    }

    private boolean run(List<String> wanted) {
        Map<String, Class<?>> owners = new LinkedHashMap<>();
        Set<String> files = new LinkedHashSet<>();
        for (String each : wanted) {
            files.add(each.substring(0, Math.max(0, each.indexOf("::"))));
        }
        for (String file : files) {
            for (String each : sources.classesOf(file)) {
                Class<?> owner = loaded(each);
                for (Class<?> one : owner == null ? new ArrayList<Class<?>>() : within(owner)) {
                    List<String> tests = all(one);
                    report.listed(tests);
                    tests.forEach(test -> owners.putIfAbsent(test, one));
                }
            }
        }
        boolean held = true;
        for (int at = 0; at < wanted.size(); ) {
            Class<?> owner = owners.get(wanted.get(at));
            List<String> part = new ArrayList<>();
            while (at < wanted.size() && owners.get(wanted.get(at)) == owner) {
                part.add(wanted.get(at++));
            }
            if (owner != null) {
                held &= run(owner, part);
            }
        }
        return held;
    }

    private boolean run(Class<?> owner, List<String> tests) {
        if (owner.isAnnotationPresent(Ignore.class)) {
            for (String each : tests) {
                report.begin(each);
                report.end(each, "skipped", "setup", "ignored", null, sources);
            }
            return true;
        }
        Set<String> wanted = new HashSet<>(tests);
        Request request = Request.aClass(owner)
                .filterWith(new Filter() {
                    @Override
                    public boolean shouldRun(Description test) {
                        return names.below(test).stream().anyMatch(wanted::contains);
                    }

                    @Override
                    public String describe() {
                        return "the tests that were asked for";
                    }
                })
                .sortWith((one, other) -> Integer.compare(place(one, tests), place(other, tests)));
        JUnitCore core = new JUnitCore();
        core.addListener(new Junit4Listener(report, sources, names));
        return core.run(request).wasSuccessful();
    }

    private int place(Description test, List<String> tests) {
        return names.below(test).stream().mapToInt(tests::indexOf).filter(at -> at >= 0).min()
                .orElse(tests.size());
    }

    private Class<?> loaded(String name) {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException | LinkageError broken) {
            report.uncollectable(sources.fileOf(name), broken, sources);
            return null;
        }
    }

    private List<String> all(Class<?> owner) {
        if (owner.isAnnotationPresent(Ignore.class)) {
            return methods(owner, names);
        }
        return names.below(Request.aClass(owner).getRunner().getDescription());
    }

    /** A class and the static ones in it that hold tests. */
    private static List<Class<?>> within(Class<?> owner) {
        List<Class<?>> found = new ArrayList<>();
        if (isTest(owner)) {
            found.add(owner);
        }
        for (Class<?> each : owner.getDeclaredClasses()) {
            found.addAll(within(each));
        }
        return found;
    }

    private static boolean isTest(Class<?> owner) {
        int modifiers = owner.getModifiers();
        if (Modifier.isAbstract(modifiers) || owner.isInterface()) {
            return false;
        }
        if (owner.isAnnotationPresent(RunWith.class)
                || junit.framework.Test.class.isAssignableFrom(owner)) {
            return true;
        }
        return Arrays.stream(owner.getMethods()).anyMatch(each -> each.isAnnotationPresent(Test.class));
    }

    static List<String> methods(Class<?> owner, Junit4Names names) {
        List<String> found = new ArrayList<>();
        for (Method each : owner.getMethods()) {
            if (each.isAnnotationPresent(Test.class)) {
                found.add(names.of(Description.createTestDescription(owner, each.getName())));
            }
        }
        return found;
    }
}
