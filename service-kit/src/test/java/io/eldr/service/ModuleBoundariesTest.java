package io.eldr.service;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What services share knows none of them, and works on both kinds of server. */
@AnalyzeClasses(packages = "io.eldr.service", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleBoundariesTest {
    @ArchTest
    static final ArchRule THIS_MODULE_KNOWS_ONLY_WHAT_IS_BELOW_IT = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.eldr.router..", "io.eldr.calibration..", "io.eldr.launcher..", "io.eldr.db..");
}
