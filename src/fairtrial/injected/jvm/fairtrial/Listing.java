package fairtrial;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Leaves the bodies of Jupiter's tests and of their hooks out while rows are listed. */
public final class Listing implements InvocationInterceptor {
    private static final String SERVICE =
            "META-INF/services/org.junit.jupiter.api.extension.Extension";

    /** Makes Jupiter find this extension and, where the project wants none, no other. */
    static boolean install(Thread thread, Plan fork) {
        boolean all = fork.all("parameter")
                .contains("junit.jupiter.extensions.autodetection.enabled=true");
        File own = new File(fork.one("folder"), "listing/" + SERVICE);
        if (!own.isFile()) {
            return false;
        }
        thread.setContextClassLoader(new ClassLoader(thread.getContextClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                if (!name.equals(SERVICE)) {
                    return super.getResources(name);
                }
                java.util.List<URL> found = new java.util.ArrayList<>();
                if (all) {
                    found.addAll(Collections.list(super.getResources(name)));
                }
                found.add(own.toURI().toURL());
                return Collections.enumeration(found);
            }
        });
        return true;
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> context, ExtensionContext in)
            throws Throwable {
        around(invocation, in);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> context, ExtensionContext in) {
        invocation.skip();
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> context, ExtensionContext in) {
        invocation.skip();
    }

    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext context, ExtensionContext in) {
        invocation.skip();
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> context, ExtensionContext in)
            throws Throwable {
        around(invocation, in);
    }

    /** What makes tests may need what was set up for it. */
    private static void around(Invocation<Void> invocation, ExtensionContext in) throws Throwable {
        boolean makes = in.getTestMethod()
                .map(each -> each.isAnnotationPresent(TestFactory.class))
                .orElse(false);
        if (makes) {
            invocation.proceed();
        } else {
            invocation.skip();
        }
    }
}
