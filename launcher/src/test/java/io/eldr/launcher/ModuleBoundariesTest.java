package io.eldr.launcher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The launcher starts services as jars and talks HTTP; it knows the method, but no service. */
@AnalyzeClasses(packages = "io.eldr.launcher", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleBoundariesTest {
    @ArchTest
    static final ArchRule THIS_MODULE_KNOWS_ONLY_WHAT_IS_BELOW_IT = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.eldr.router..",
                    "io.eldr.calibration..",
                    "io.eldr.db..",
                    "io.eldr.service..",
                    "org.springframework..");
}
