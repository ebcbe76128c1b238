package fairtrial;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Lists and runs tests of the JUnit Platform by their unique ids, in the order asked for. */
final class PlatformRun implements Run {
    /** What a container calls its rows, and the kinds of ids that they have. */
    private static final Map<String, String> ROWS = new HashMap<>();

    static {
        ROWS.put("test-template", "test-template-invocation");
        ROWS.put("class-template", "class-template-invocation");
        ROWS.put("nested-class-template", "class-template-invocation");
        ROWS.put("test-factory", "dynamic-test");
    }

    private final Plan plan;
    private final Plan fork;
    private final Report report;
    private final Sources sources;
    private final PlatformNames names;
    private final Launcher launcher = LauncherFactory.create();
    /** Unique ids by the gate's names: what was found in the files that were asked for. */
    private final Map<String, String> ids = new LinkedHashMap<>();
    private final Set<String> tests = new LinkedHashSet<>();
    /** Containers that may have rows, which only a run of them shows. */
    private final Set<String> templates = new LinkedHashSet<>();

    PlatformRun(Plan plan, Plan fork, Report report, Sources sources) {
        this.plan = plan;
        this.fork = fork;
        this.report = report;
        this.sources = sources;
        names = new PlatformNames(sources);
    }

    @Override
    public boolean go() {
        return plan.one("mode").equals("list") ? list() : run();
    }

    private boolean list() {
        discover(fork.all("class"), true);
        Map<String, List<String>> rows = templates.isEmpty() ? new HashMap<>() : rows();
        List<String> all = new ArrayList<>();
        for (String each : ids.keySet()) {
            if (tests.contains(each)) {
                all.add(each);
            }
            all.addAll(rows.getOrDefault(each, new ArrayList<>()));
        }
        report.listed(all);
        return true;
    }

    /** Makes templates tell their rows; the tests' own bodies are left out where that can be. */
    private Map<String, List<String>> rows() {
        Map<String, List<String>> rows = new HashMap<>();
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String each : templates) {
            selectors.add(DiscoverySelectors.selectUniqueId(ids.get(each)));
        }
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        LauncherDiscoveryRequestBuilder builder = builder().selectors(selectors);
        if (withoutBodies(thread)) {
            builder.configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true");
        }
        try {
            launcher.execute(builder.build(), new TestExecutionListener() {
                private TestPlan running;

                @Override
                public void testPlanExecutionStarted(TestPlan plan) {
                    running = plan;
                }

                @Override
                public void dynamicTestRegistered(TestIdentifier test) {
                    TestIdentifier up = test;
                    while (up != null && !templates.contains(names.of(up, running))) {
                        up = running.getParent(up).orElse(null);
                    }
                    if (test.isTest() && up != null) {
                        rows.computeIfAbsent(names.of(up, running), key -> new ArrayList<>())
                                .add(names.of(test, running));
                    }
                }
            });
        } finally {
            thread.setContextClassLoader(loader);
        }
        return rows;
    }

    /** False where there is no Jupiter, or one that is too old for it (before 5.6). */
    private boolean withoutBodies(Thread thread) {
        try {
            return (boolean) Class.forName("fairtrial.Listing")
                    .getDeclaredMethod("install", Thread.class, Plan.class)
                    .invoke(null, thread, fork);
        } catch (ReflectiveOperationException | LinkageError none) {
            return false;
        }
    }

    private boolean run() {
        List<String> wanted = plan.all("test");
        Set<String> files = new LinkedHashSet<>();
        for (String each : wanted) {
            files.add(each.substring(0, Math.max(0, each.indexOf("::"))));
        }
        for (String file : files) {
            Set<String> classes = sources.classesOf(file);
            // Features, and what was generated, are found through all that the suite has.
            discover(classes.isEmpty() ? fork.all("class") : classes, false);
        }
        Set<String> listed = new LinkedHashSet<>();
        for (String each : tests) {
            if (files.contains(each.substring(0, Math.max(0, each.indexOf("::"))))) {
                listed.add(each);
            }
        }
        for (String each : wanted) {
            if (ids.containsKey(each)) {
                listed.add(each);
            }
        }
        report.listed(listed);
        Counting counting = new Counting();
        PlatformListener listener =
                new PlatformListener(report, sources, names, new HashSet<>(wanted));
        for (List<String> part : Order.parts(found(wanted), this::uniqueId)) {
            execute(part, listener, counting);
        }
        return counting.failures == 0;
    }

    private List<String> found(List<String> wanted) {
        List<String> found = new ArrayList<>();
        for (String each : wanted) {
            if (uniqueId(each) != null) {
                found.add(each);
            }
        }
        return found;
    }

    /** The unique id of a test or of a row that its template will make; null: no such one. */
    private String uniqueId(String test) {
        String known = ids.get(test);
        for (int end = test.length(); known == null && end > 0 && test.charAt(end - 1) == ']'; ) {
            end = test.lastIndexOf('[', end - 1);
            String base = end < 0 ? null : ids.get(test.substring(0, end));
            if (base != null) {
                known = base + row(base, test.substring(end));
            }
            if (end < 0) {
                break;
            }
        }
        return known;
    }

    private static String row(String base, String rows) {
        String kind = base.substring(base.lastIndexOf('[') + 1).split(":")[0];
        String[] numbers = rows.substring(1, rows.length() - 1).split("]\\[");
        StringBuilder id = new StringBuilder();
        for (int at = 0; at < numbers.length; at++) {
            String each = ROWS.getOrDefault(kind, "dynamic-test");
            if (each.equals("dynamic-test") && at + 1 < numbers.length) {
                each = "dynamic-container";
            }
            id.append("/[").append(each).append(":#").append(numbers[at]).append(']');
        }
        return id.toString();
    }

    private void execute(List<String> part, PlatformListener listener, Counting counting) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        List<String> order = new ArrayList<>();
        for (String each : part) {
            String id = uniqueId(each);
            selectors.add(DiscoverySelectors.selectUniqueId(id));
            order.add(id);
        }
        LauncherDiscoveryRequest request =
                builder().selectors(selectors).filters(new Order(order)).build();
        launcher.execute(request, listener, counting);
    }

    private LauncherDiscoveryRequestBuilder builder() {
        LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request();
        for (String each : fork.all("parameter")) {
            int at = each.indexOf('=');
            builder.configurationParameter(each.substring(0, at), each.substring(at + 1));
        }
        // One after the other, in this process: an order that is asked for is kept.
        builder.configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        builder.configurationParameter("cucumber.execution.parallel.enabled", "false");
        builder.configurationParameter("junit.vintage.execution.parallel.enabled", "false");
        return builder;
    }

    private void discover(Iterable<String> classes, boolean asTheSuite) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        for (String each : classes) {
            try {
                selectors.add(DiscoverySelectors.selectClass(Class.forName(each, false, loader)));
            } catch (ClassNotFoundException | LinkageError broken) {
                report.uncollectable(sources.fileOf(each), broken, sources);
            }
        }
        if (selectors.isEmpty()) {
            return;
        }
        LauncherDiscoveryRequestBuilder builder = builder().selectors(selectors);
        if (asTheSuite) {
            filter(builder, fork.all("tag"), true);
            filter(builder, fork.all("not-tag"), false);
        }
        Set<String> expandable = new HashSet<>();
        builder.filters((PostDiscoveryFilter) descriptor -> {
            if (descriptor.getChildren().isEmpty() && descriptor.mayRegisterTests()) {
                expandable.add(descriptor.getUniqueId().toString());
            }
            return FilterResult.included(null);
        });
        TestPlan found = launcher.discover(builder.build());
        for (TestIdentifier root : found.getRoots()) {
            for (TestIdentifier each : found.getDescendants(root)) {
                String name = names.of(each, found);
                ids.putIfAbsent(name, each.getUniqueId());
                if (each.isTest()) {
                    tests.add(name);
                } else if (expandable.contains(each.getUniqueId())) {
                    templates.add(name);
                }
            }
        }
    }

    private static void filter(LauncherDiscoveryRequestBuilder to, List<String> tags, boolean in) {
        if (!tags.isEmpty()) {
            to.filters(in ? TagFilter.includeTags(tags) : TagFilter.excludeTags(tags));
        }
    }

    /** Whether anything failed. */
    private static final class Counting implements TestExecutionListener {
        private int failures;

        @Override
        public void executionFinished(
                TestIdentifier test, org.junit.platform.engine.TestExecutionResult result) {
            if (result.getStatus()
                    == org.junit.platform.engine.TestExecutionResult.Status.FAILED) {
                failures++;
            }
        }
    }
}
