package io.eldr.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The simulated engine knows the method's core and no part of ELDR that talks to it. */
@AnalyzeClasses(packages = "io.eldr.engine", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleBoundariesTest {
    @ArchTest
    static final ArchRule THIS_MODULE_KNOWS_ONLY_WHAT_IS_BELOW_IT = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.eldr.engine..",
                    "io.eldr.core..",
                    "io.netty..",
                    "reactor..",
                    "org.reactivestreams..",
                    "tools.jackson..",
                    "picocli..",
                    "org.jspecify.annotations..",
                    "java..");

    @ArchTest
    static final ArchRule PACKAGES_BUILD_ON_ONE_ANOTHER_IN_ONE_DIRECTION =
            slices().matching("io.eldr.engine.(*)..").should().beFreeOfCycles();
}
