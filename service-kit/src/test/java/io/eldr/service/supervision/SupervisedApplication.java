package io.eldr.service.supervision;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A service that says when it is ready and when it has stopped in order, run by {@link SupervisionTest} as a child. */
@SpringBootApplication
class SupervisedApplication {

    public static void main(String[] args) throws InterruptedException {
        SpringApplication.run(SupervisedApplication.class, args);
        System.out.println("ready");
        Thread.currentThread().join();
    }

    @Bean
    Resource resource() {
        return new Resource();
    }

    /** Something that must be closed. */
    static final class Resource implements AutoCloseable {
        @Override
        public void close() {
            System.out.println("closed in order");
        }
    }
}
