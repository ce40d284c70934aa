# syntax=docker/dockerfile:1
# The image of any service: docker build --build-arg SERVICE=router-service -t eldr-router-service .
# SERVICE is router-service, calibration-service or admin-ui, built before: mvn -Pimage -DskipTests package
# docs/operations.md says more.

# By tag; a build that must be repeatable gives digests: --build-arg JDK=eclipse-temurin@sha256:...
ARG JDK=eclipse-temurin:25-jdk-noble
ARG BASE=debian:12-slim

# --- the jar, taken apart so that what seldom changes is seldom sent ---------------------------------------------------
FROM ${JDK} AS layers
ARG SERVICE
WORKDIR /layers
COPY ${SERVICE}/target/eldr-${SERVICE}.jar app.jar
RUN java -Djarmode=tools -jar app.jar extract --layers --destination /layers/out \
 && mkdir -p /layers/sbom \
 && (cd /layers/sbom && jar xf /layers/app.jar META-INF/sbom/application.cdx.json \
     && mv META-INF/sbom/application.cdx.json . && rm -r META-INF)

# --- a JVM with what the services use -----------------------------------------------------------------------------------
FROM ${JDK} AS jvm
RUN jlink --output /jvm --strip-debug --no-header-files --no-man-pages --generate-cds-archive --include-locales en \
    --add-modules java.se,jdk.crypto.ec,jdk.incubator.vector,jdk.jfr,jdk.localedata,jdk.management,jdk.naming.dns \
    --add-modules jdk.net,jdk.unsupported,jdk.zipfs

# --- what runs --------------------------------------------------------------------------------------------------------
FROM ${BASE} AS service
ARG SERVICE
LABEL org.opencontainers.image.title="eldr-${SERVICE}" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV PATH=/opt/jvm/bin:$PATH
COPY --from=jvm /jvm /opt/jvm
WORKDIR /app
COPY --from=layers /layers/out/dependencies/ ./
COPY --from=layers /layers/out/spring-boot-loader/ ./
COPY --from=layers /layers/out/snapshot-dependencies/ ./
COPY --from=layers /layers/out/application/ ./
COPY --from=layers /layers/sbom/ ./sbom/
COPY docker/train.sh docker/run.sh ./
COPY docker/${SERVICE}.options ./jvm.options

# Starts the service once as it will be started and keeps what the JVM loaded and linked on the way (JEP 483, 514, 515).
# Neither Postgres nor a network is needed. The cache is of this JVM and these jars: both are in this image.
RUN ./train.sh && rm train.sh

# Nothing here is written while it runs: the root may be read-only, /tmp is a volume.
USER 10001:10001
ENTRYPOINT ["/app/run.sh"]
