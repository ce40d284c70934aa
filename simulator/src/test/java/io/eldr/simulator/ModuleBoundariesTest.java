package io.eldr.simulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The simulator is the method's core and Java: whatever it decides, the router's own classes decide. */
@AnalyzeClasses(packages = "io.eldr.simulator", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleBoundariesTest {
    @ArchTest
    static final ArchRule THIS_MODULE_KNOWS_ONLY_WHAT_IS_BELOW_IT = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.eldr.simulator..",
                    "io.eldr.core..",
                    "tools.jackson.core..",
                    "org.jspecify.annotations..",
                    "java..");

    @ArchTest
    static final ArchRule PACKAGES_BUILD_ON_ONE_ANOTHER_IN_ONE_DIRECTION =
            slices().matching("io.eldr.simulator.(*)..").should().beFreeOfCycles();
}
