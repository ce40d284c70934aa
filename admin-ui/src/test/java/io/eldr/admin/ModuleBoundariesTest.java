package io.eldr.admin;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The dashboard meets the services over HTTP only; what all services share is all it takes of ours. */
@AnalyzeClasses(packages = "io.eldr.admin", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleBoundariesTest {
    @ArchTest
    static final ArchRule THIS_MODULE_KNOWS_ONLY_WHAT_SERVICES_SHARE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.eldr.core..",
                    "io.eldr.db..",
                    "io.eldr.calibration..",
                    "io.eldr.router..",
                    "io.eldr.launcher..",
                    "io.eldr.engine..",
                    "io.eldr.simulator..");
}
