package io.eldr.router;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The router meets the other services in Postgres and over HTTP only, and starts without Hibernate. */
@AnalyzeClasses(packages = "io.eldr.router", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleBoundariesTest {
    @ArchTest
    static final ArchRule THIS_MODULE_KNOWS_ONLY_WHAT_IS_BELOW_IT = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.eldr.db..",
                    "io.eldr.calibration..",
                    "io.eldr.launcher..",
                    "jakarta.persistence..",
                    "org.hibernate..",
                    "jakarta.servlet..");
}
