package io.eldr.router.gateway;

import io.eldr.core.load.LoadLedger;
import io.eldr.router.PeriodicTask;
import io.eldr.router.pool.Pools;
import io.eldr.router.worker.Breakers;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;

/** What the gateway is made of, and that its paths take API keys instead of the tokens of the rest. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(GatewayProperties.class)
class GatewayConfiguration {

    @Bean
    EngineClient engineClient(GatewayProperties properties) {
        return new EngineClient(properties);
    }

    @Bean
    WorkerWatch workerWatch(Pools pools) {
        return new WorkerWatch(pools);
    }

    @Bean
    PeriodicTask workerWatchLooks(WorkerWatch watch, RandomGenerator random) {
        return PeriodicTask.every("worker-watch", WorkerWatch.INTERVAL, random, watch::look);
    }

    @Bean
    PrefillChoice prefillChoice(LoadLedger ledger, Breakers breakers, InstantSource clock) {
        return new PrefillChoice(ledger, breakers, clock);
    }

    /** The controller checks the key itself: it may be meant for the engines. */
    @Bean
    @Order(0)
    SecurityWebFilterChain dataPlane(ServerHttpSecurity http) {
        return http.securityMatcher(
                        ServerWebExchangeMatchers.pathMatchers(Api.CHAT.path(), Api.COMPLETION.path(), "/v1/models"))
                .csrf(ServerHttpSecurity.CsrfSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .headers(ServerHttpSecurity.HeaderSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                .build();
    }
}
