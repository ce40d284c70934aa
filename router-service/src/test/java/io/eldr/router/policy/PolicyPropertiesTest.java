package io.eldr.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.routing.StarvationRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

class PolicyPropertiesTest {

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(PolicyProperties.class)
    static class Properties {}

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(Properties.class);

    @Test
    void defaultsAreAsDocumented() {
        runner.run(context -> {
            PolicyProperties properties = context.getBean(PolicyProperties.class);
            assertThat(properties.starvation().rule()).contains(StarvationRule.DEFAULT);
            assertThat(properties.shadow()).isEqualTo(new PolicyProperties.Shadow(1, 256));
        });
        runner.withPropertyValues("eldr.router.policies.starvation.guard=false")
                .run(context -> assertThat(context.getBean(PolicyProperties.class)
                                .starvation()
                                .rule())
                        .isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "eldr.router.policies.nonsense, 1",
        "eldr.router.policies.shadow.sample, 1.5",
        "eldr.router.policies.shadow.queue, 0",
        "eldr.router.policies.starvation.after, -1s",
        "eldr.router.policies.starvation.factor, 1"
    })
    void aBadOrUnknownPropertyStopsTheStartByItsName(String property, String value) {
        runner.withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context).getFailure().satisfies(failure -> {
                    StringBuilder text = new StringBuilder();
                    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                        text.append(cause).append('\n');
                    }
                    assertThat(text.toString()).contains(property);
                }));
    }
}
