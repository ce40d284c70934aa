package io.eldr.router;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Conditional;

/** The image's router has the beans that were laid out at build time: which these are must not depend on a setting. */
@AnalyzeClasses(
        packages = {"io.eldr.router", "io.eldr.service"},
        importOptions = ImportOption.DoNotIncludeTests.class)
class AheadOfTimeTest {
    /** Of the benchmark, which starts without that. */
    private static final String BENCHMARKS = "io.eldr.router.web.EmptyController";

    @ArchTest
    static final ArchRule NO_CONFIGURATION_DEPENDS_ON_A_SETTING = noClasses()
            .that(not(annotatedWith(ConditionalOnWebApplication.class)))
            .and(not(describe(
                    "are of the benchmark", (JavaClass type) -> type.getName().equals(BENCHMARKS))))
            .should()
            .beMetaAnnotatedWith(Conditional.class);

    @ArchTest
    static final ArchRule NO_BEAN_DEPENDS_ON_A_SETTING = noMethods().should().beMetaAnnotatedWith(Conditional.class);
}
