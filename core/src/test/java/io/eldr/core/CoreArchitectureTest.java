package io.eldr.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The core's packages depend on one another in one direction, on no framework, and hold no state of their own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoreArchitectureTest {
    private static final String ROOT = "io.eldr.core.";

    /** Which packages a package builds on; it may use what these build on too, and every package may use vector. */
    private static final Map<String, Set<String>> BUILDS_ON = Map.ofEntries(
            Map.entry("vector", Set.of()),
            Map.entry("signature", Set.of()),
            Map.entry("quality", Set.of("signature")),
            Map.entry("clustering", Set.of("signature")),
            Map.entry("placement", Set.of("signature")),
            Map.entry("artifact", Set.of("signature", "quality", "clustering", "placement")),
            Map.entry("calibration", Set.of("artifact", "cost", "trace")),
            Map.entry("cost", Set.of()),
            Map.entry("drift", Set.of("artifact")),
            Map.entry("load", Set.of("signature")),
            Map.entry("routing", Set.of("artifact", "load", "cost")),
            Map.entry("trace", Set.of("signature")));

    private JavaClasses core;

    @BeforeAll
    void readClasses() {
        core = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.eldr.core");
        assertThat(core).isNotEmpty();
    }

    static Stream<String> packages() {
        return BUILDS_ON.keySet().stream().sorted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("packages")
    void aPackageUsesOnlyThoseItBuildsOn(String name) {
        Set<String> allowed = new HashSet<>();
        allowed.add(name);
        allowed.add("vector");
        addBuiltOn(name, allowed);
        Set<String> forbidden = new TreeSet<>(BUILDS_ON.keySet());
        forbidden.removeAll(allowed);

        classes()
                .that()
                .resideInAPackage(ROOT + name + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackages(
                        forbidden.stream().map(other -> ROOT + other + "..").toArray(String[]::new))
                .allowEmptyShould(true)
                .check(core);
    }

    @Test
    void everyPackageHasItsPlaceInTheOrder() {
        classes()
                .should()
                .resideInAnyPackage(packages().map(name -> ROOT + name + "..").toArray(String[]::new))
                .check(core);
    }

    @Test
    void onlyJavaItselfAndTheJsonStreamAreUsed() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.eldr.core..",
                        "java..",
                        "jdk.incubator.vector..",
                        "org.jspecify.annotations..",
                        "tools.jackson.core..")
                .check(core);
    }

    @Test
    void noStateIsStatic() {
        fields().that().areStatic().should(beConstants()).check(core);
    }

    private static void addBuiltOn(String name, Set<String> found) {
        for (String below : BUILDS_ON.get(name)) {
            found.add(below);
            addBuiltOn(below, found);
        }
    }

    /** Final, and of a type that is not made to be changed; arrays only where nobody else can reach them. */
    private static ArchCondition<JavaField> beConstants() {
        return new ArchCondition<>("be constants") {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                Set<JavaModifier> modifiers = field.getModifiers();
                boolean constant = modifiers.contains(JavaModifier.SYNTHETIC)
                        || (modifiers.contains(JavaModifier.FINAL) && isConstantType(field));
                events.add(new SimpleConditionEvent(field, constant, field.getDescription() + " may change"));
            }
        };
    }

    private static boolean isConstantType(JavaField field) {
        String type = field.getRawType().getName();
        boolean mutable = type.startsWith("java.util.concurrent.")
                || type.startsWith("java.lang.ThreadLocal")
                || Set.of("java.util.ArrayList", "java.util.HashMap", "java.util.HashSet", "java.util.Random")
                        .contains(type);
        boolean exposedArray =
                field.getRawType().isArray() && !field.getModifiers().contains(JavaModifier.PRIVATE);
        return !mutable && !exposedArray;
    }
}
