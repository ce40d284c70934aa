package io.eldr.db;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;

class PackagesTest {
    private final JavaClasses registry =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.eldr.db");

    @Test
    void dependOnEachOtherInOneDirection() {
        slices().matching("io.eldr.db.(*)..").should().beFreeOfCycles().check(registry);
    }

    @Test
    void knowNoneOfTheProductButTheCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.eldr.service..", "io.eldr.router..", "io.eldr.calibration..", "io.eldr.launcher..")
                .check(registry);
    }
}
