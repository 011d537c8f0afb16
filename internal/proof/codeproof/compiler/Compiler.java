import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.tools.ToolProvider;

/**
 * Compiles programs of the JVM in one process, which is warm after a few of them. Each line
 * of its input is a language, the folder with the jars of its compiler, and the compiler's
 * arguments, with tabs between them. It answers with a line: "ok", or what the compiler said.
 */
public class Compiler {
    static final Map<String, ClassLoader> loaders = new HashMap<>();

    public static void main(String[] args) throws Exception {
        var answers = System.out;
        var lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = lines.readLine()) != null;) {
            var words = line.split("\t", -1);
            var said = new ByteArrayOutputStream();
            var to = new PrintStream(said, true, "UTF-8");
            System.setOut(to);
            System.setErr(to);
            String answer = "ok";
            try {
                if (!compile(words[0], words[1], Arrays.copyOfRange(words, 2, words.length), to)) {
                    answer = "failed: " + said.toString("UTF-8");
                }
            } catch (Throwable t) {
                var cause = t instanceof java.lang.reflect.InvocationTargetException ? t.getCause() : t;
                answer = "failed: " + cause + said.toString("UTF-8");
            }
            answers.println(answer.replace("\n", "\\n").replace("\r", ""));
            answers.flush();
        }
    }

    static boolean compile(String language, String folder, String[] args, PrintStream to) throws Exception {
        switch (language) {
            case "java":
                return ToolProvider.getSystemJavaCompiler().run(null, to, to, args) == 0;
            case "kotlin":
                var kotlin = load(folder, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
                var exit = kotlin.getMethod("exec", PrintStream.class, String[].class).invoke(kotlin.getConstructor().newInstance(), to, args);
                return exit.toString().equals("OK");
            case "scala2":
                var scala = load(folder, "scala.tools.nsc.Main");
                scala.getMethod("process", String[].class).invoke(null, (Object) args);
                var reporter = scala.getMethod("reporter").invoke(null);
                return !(boolean) reporter.getClass().getMethod("hasErrors").invoke(reporter);
            case "scala3":
                var dotty = load(folder, "dotty.tools.dotc.Main").getMethod("process", String[].class).invoke(null, (Object) args);
                return !(boolean) dotty.getClass().getMethod("hasErrors").invoke(dotty);
            case "groovy":
                load(folder, "org.codehaus.groovy.tools.FileSystemCompiler").getMethod("commandLineCompile", String[].class).invoke(null, (Object) args);
                return true;
        }
        throw new IllegalArgumentException(language);
    }

    static Class<?> load(String folder, String name) throws Exception {
        var loader = loaders.get(folder);
        if (loader == null) {
            var jars = new ArrayList<URL>();
            for (var jar : new File(folder).listFiles((dir, file) -> file.endsWith(".jar"))) {
                jars.add(jar.toURI().toURL());
            }
            loader = new URLClassLoader(jars.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
            loaders.put(folder, loader);
        }
        Thread.currentThread().setContextClassLoader(loader);
        return loader.loadClass(name);
    }
}
