package io.eldr.calibration;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The calibration service meets the router in Postgres and over HTTP only. */
@AnalyzeClasses(packages = "io.eldr.calibration", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleBoundariesTest {
    @ArchTest
    static final ArchRule THIS_MODULE_KNOWS_ONLY_WHAT_IS_BELOW_IT =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.eldr.router..", "io.eldr.launcher..");
}
