package fairtrial.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.MavenExecutionException;
import org.apache.maven.execution.MavenExecutionRequest;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.model.Resource;
import org.apache.maven.plugin.internal.PluginDependenciesResolver;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.eclipse.aether.DefaultRepositorySystemSession;

/**
 * Tells Maven's test plug-ins, in memory, what the gate needs of them: no repeated tests, reports
 * beside the project, our listener on the classpath. The project's own files stay as they are.
 *
 * FAIRTRIAL_MAVEN is "fetch", "capture" or "run"; FAIRTRIAL_KEPT is the folder of forks.
 */
public final class Participant extends AbstractMavenLifecycleParticipant {
    private static final Set<String> TESTERS =
            new HashSet<>(Arrays.asList("maven-surefire-plugin", "maven-failsafe-plugin"));
    /** What may run while packages are fetched: nothing that a project can put code into. */
    private static final Set<String> HARMLESS = new HashSet<>(Arrays.asList(
            "maven-surefire-plugin", "maven-failsafe-plugin", "maven-resources-plugin",
            "maven-compiler-plugin", "maven-jar-plugin", "maven-war-plugin", "maven-install-plugin",
            "kotlin-maven-plugin", "spring-boot-maven-plugin", "maven-enforcer-plugin"));
    /** What no test run comes to. */
    private static final Set<String> LATER = new HashSet<>(Arrays.asList(
            "maven-install-plugin", "maven-deploy-plugin", "maven-site-plugin", "maven-gpg-plugin",
            "maven-release-plugin", "nexus-staging-maven-plugin", "central-publishing-maven-plugin"));
    private PluginDependenciesResolver resolver;

    private static String mode() {
        return String.valueOf(System.getenv("FAIRTRIAL_MAVEN"));
    }

    @Override
    public void afterSessionStart(MavenSession session) {
        if (!mode().equals("fetch")) {
            session.getRequest().setOffline(true);
            if (session.getRepositorySession() instanceof DefaultRepositorySystemSession) {
                ((DefaultRepositorySystemSession) session.getRepositorySession()).setOffline(true);
            }
        }
        if (mode().equals("fetch")) {
            session.getRequest().setReactorFailureBehavior(MavenExecutionRequest.REACTOR_FAIL_NEVER);
        }
    }

    @Override
    public void afterProjectsRead(MavenSession session) throws MavenExecutionException {
        try {
            for (MavenProject project : session.getProjects()) {
                if (mode().equals("fetch")) {
                    fetch(project, session);
                }
                for (Plugin plugin : project.getBuild().getPlugins()) {
                    if (TESTERS.contains(plugin.getArtifactId())) {
                        tell(project, plugin);
                    }
                }
            }
        } catch (IOException broken) {
            throw new MavenExecutionException("the gate can't keep what it needs", broken);
        }
    }

    private void fetch(MavenProject project, MavenSession session) throws IOException {
        for (Plugin plugin : project.getBuild().getPlugins()) {
            if (LATER.contains(plugin.getArtifactId())) {
                plugin.getExecutions().forEach(each -> each.setPhase("none"));
                continue;
            }
            try {
                resolver.resolve(plugin, null, null, project.getRemotePluginRepositories(),
                        session.getRepositorySession());
            } catch (Exception missing) {
                System.out.println("[fairtrial] " + plugin.getId() + ": " + missing.getMessage());
            }
            boolean stays = HARMLESS.contains(plugin.getArtifactId())
                    && (plugin.getGroupId().startsWith("org.apache.maven")
                            || plugin.getGroupId().startsWith("org.jetbrains.kotlin")
                            || plugin.getGroupId().startsWith("org.springframework"));
            if (!stays) {
                plugin.getExecutions().forEach(each -> each.setPhase("none"));
            }
        }
        if (!project.getPackaging().equals("pom")) {
            for (String each : new String[] {"", "IT"}) {
                probe(new File(project.getBuild().getTestOutputDirectory()), "FairtrialProbe" + (each.isEmpty() ? "Test" : each));
            }
            new File(project.getBuild().getOutputDirectory()).mkdirs();
        }
    }

    /** A class whose name looks like a test's makes the plug-ins fetch what runs tests. */
    private static void probe(File folder, String name) throws IOException {
        folder.mkdirs();
        File kept = new File(System.getenv("FAIRTRIAL_KEPT"), "probe/" + name + ".class");
        Files.copy(kept.toPath(), new File(folder, name + ".class").toPath(),
                StandardCopyOption.REPLACE_EXISTING);
    }

    private void tell(MavenProject project, Plugin plugin) throws IOException {
        if (plugin.getExecutions().isEmpty()) {
            plugin.setConfiguration(
                    told(project, plugin, "default", (Xpp3Dom) plugin.getConfiguration()));
        }
        for (PluginExecution execution : plugin.getExecutions()) {
            Xpp3Dom own = (Xpp3Dom) execution.getConfiguration();
            execution.setConfiguration(told(project, plugin, execution.getId(), own));
        }
    }

    private Xpp3Dom told(MavenProject project, Plugin plugin, String execution, Xpp3Dom given)
            throws IOException {
        Xpp3Dom own = given == null ? new Xpp3Dom("configuration") : given;
        File folder = describe(project, plugin.getArtifactId(), execution, own);
        set(own, "rerunFailingTestsCount", "0");
        set(own, "skipAfterFailureCount", "0");
        set(own, "failIfNoTests", "false");
        set(own, "trimStackTrace", "false");
        String reports = System.getenv("FAIRTRIAL_REPORTS");
        if (reports != null) {
            set(own, "reportsDirectory", reports + '/' + folder.getName());
        }
        if (!mode().equals("run")) {
            set(own, "jvm", new File(folder, "bin/java").getPath());
            // One fork says what all of them are like.
            set(own, "forkCount", "1");
            set(own, "reuseForks", "true");
            drop(own, "forkMode");
        } else {
            Xpp3Dom more = child(own, "additionalClasspathElements");
            more.addChild(leaf("additionalClasspathElement", new File(folder, "classes").getPath()));
            set(own, "testFailureIgnore", "false");
            if (new File(folder, "classes/fairtrial/Junit4Listener.class").isFile()) {
                listen(child(own, "properties"));
            }
        }
        return own;
    }

    /** JUnit 4 has no services: a listener has to be named to it. */
    private static void listen(Xpp3Dom properties) {
        String ours = "fairtrial.Junit4Listener";
        for (Xpp3Dom each : properties.getChildren("property")) {
            Xpp3Dom name = each.getChild("name");
            if (name != null && "listener".equals(name.getValue())) {
                set(each, "value", each.getChild("value").getValue() + "," + ours);
                return;
            }
        }
        Xpp3Dom property = new Xpp3Dom("property");
        property.addChild(leaf("name", "listener"));
        property.addChild(leaf("value", ours));
        properties.addChild(property);
    }

    /** Leaves what only the model knows: where the module's sources and classes lie. */
    private File describe(MavenProject project, String plugin, String execution, Xpp3Dom own)
            throws IOException {
        String kind = plugin.startsWith("maven-failsafe") ? "failsafe" : "surefire";
        String id = project.getArtifactId() + '-' + Integer.toHexString(
                project.getBasedir().getPath().hashCode()) + '-' + kind + '-' + execution;
        String name = id.replaceAll("[^A-Za-z0-9_.-]", "_");
        name = name.length() > 40 ? name.substring(name.length() - 40) : name;
        File folder = new File(System.getenv("FAIRTRIAL_KEPT"), "forks/" + name);
        if (mode().equals("run")) {
            return folder;
        }
        List<String> lines = new ArrayList<>();
        lines.add("name\t" + name);
        lines.add("basedir\t" + project.getBasedir());
        lines.add("pom\t" + project.getFile());
        for (String each : project.getCompileSourceRoots()) {
            lines.add("root\t" + each);
        }
        for (String each : project.getTestCompileSourceRoots()) {
            lines.add("root\t" + each);
        }
        for (String kind2 : new String[] {"main", "test"}) {
            for (String language : new String[] {"java", "kotlin", "groovy", "scala"}) {
                lines.add("root\t" + project.getBasedir() + "/src/" + kind2 + '/' + language);
            }
        }
        for (Resource each : project.getTestResources()) {
            lines.add("resource\t" + each.getDirectory());
        }
        lines.add("output\t" + project.getBuild().getTestOutputDirectory());
        Xpp3Dom jvm = own.getChild("jvm");
        // Surefire makes its own java's home the fork's JAVA_HOME, which is no guide.
        lines.add("jvm\t" + (jvm != null && jvm.getValue() != null
                ? jvm.getValue()
                : System.getProperty("java.home") + "/bin/java"));
        File program = new File(folder, "bin/java");
        program.getParentFile().mkdirs();
        Files.write(new File(folder, "module.tsv").toPath(),
                (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        String script = "#!/bin/sh\nexec python3 -I -S '" + System.getenv("FAIRTRIAL_KEPT")
                + "/fairtrial_forks.py' capture '" + folder + "' \"$@\"\n";
        Files.write(program.toPath(), script.getBytes(StandardCharsets.UTF_8));
        program.setExecutable(true);
        Files.deleteIfExists(new File(folder, "fork.tsv").toPath());
        return folder;
    }

    private static Xpp3Dom child(Xpp3Dom own, String name) {
        if (own.getChild(name) == null) {
            own.addChild(new Xpp3Dom(name));
        }
        return own.getChild(name);
    }

    private static void set(Xpp3Dom own, String name, String value) {
        child(own, name).setValue(value);
    }

    private static void drop(Xpp3Dom own, String name) {
        for (int at = own.getChildCount() - 1; at >= 0; at--) {
            if (own.getChild(at).getName().equals(name)) {
                own.removeChild(at);
            }
        }
    }

    private static Xpp3Dom leaf(String name, String value) {
        Xpp3Dom made = new Xpp3Dom(name);
        made.setValue(value);
        return made;
    }
}
