package io.eldr.router.intent;

import io.eldr.router.RouterProperties;
import java.sql.DriverManager;
import java.time.InstantSource;
import java.util.Properties;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/** The port to Postgres. */
@Configuration(proxyBeanMethods = false)
class IntentConfiguration {

    @Bean
    IntentSource intentSource(JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new JdbcIntent(jdbc, transactions);
    }

    @Bean
    RouterReports routerReports(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            RouterProperties properties,
            @Qualifier("wallClock") InstantSource clock) {
        return new JdbcReports(
                jdbc, transactions, properties.instanceId(), properties.advertisedUrl(), clock.instant());
    }

    @Bean
    IntentFollower intentFollower(
            IntentSource source,
            RouterReports reports,
            IntentFollower.Subject subject,
            HeartbeatObserver replicas,
            RouterProperties properties,
            @Qualifier("wallClock") InstantSource clock) {
        return new IntentFollower(source, reports, subject, replicas, properties.pollInterval(), clock);
    }

    @Bean
    IntentNotifications intentNotifications(DataSourceProperties properties, IntentFollower follower) {
        return new IntentNotifications(
                () -> DriverManager.getConnection(properties.determineUrl(), listening(properties)), follower::changed);
    }

    @Bean
    IntentLifecycle intentLifecycle(IntentFollower follower, IntentNotifications notifications) {
        return new IntentLifecycle(follower, notifications);
    }

    private static Properties listening(DataSourceProperties properties) {
        Properties listening = new Properties();
        String user = properties.determineUsername();
        String password = properties.determinePassword();
        if (user != null) {
            listening.setProperty("user", user);
        }
        if (password != null) {
            listening.setProperty("password", password);
        }
        listening.setProperty("ApplicationName", "eldr-router-notifications");
        listening.setProperty("connectTimeout", "3");
        listening.setProperty("loginTimeout", "10");
        // Of one read; longer than one wait for notifications.
        listening.setProperty("socketTimeout", "30");
        listening.setProperty("tcpKeepAlive", "true");
        return listening;
    }
}
