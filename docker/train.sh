#!/bin/sh
# Makes /app/app.aot by a start of /app/app.jar: asks its pages as probes and Prometheus do, then lets it end by itself. What is
# archived under G1 can be loaded under the serial and the parallel collector too. The jar is named as run.sh names it: under
# another path, even a relative one to the same file, the JVM leaves the cache aside.
set -eu
cd "$(dirname "$0")"
app=$PWD

# Like a cluster without its Postgres: services start and wait for it. A service reads those of these settings that are its.
export SPRING_DATASOURCE_URL=jdbc:postgresql://127.0.0.1:1/none
export SERVER_PORT=18080 MANAGEMENT_SERVER_PORT=18081 SERVER_ADDRESS=127.0.0.1 MANAGEMENT_SERVER_ADDRESS=127.0.0.1
export ELDR_ADMIN_TOKEN=of-the-training-run ELDR_ADMIN_USERS_FILE=/tmp/training-users

java -XX:AOTCacheOutput=app.aot -XX:+UseG1GC "@$app/jvm.options" -jar "$app/app.jar" >/tmp/training.log 2>&1 &
service=$!

ask() {
  # There is no curl, and bash has sockets.
  bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" && printf "GET %s HTTP/1.0\r\n\r\n" "$2" >&3 && head -n 1 <&3' ask "$1" "$2"
}

tries=0
until ask 18080 /livez 2>/dev/null | grep -q ' 200'; do
  kill -0 "$service" 2>/dev/null || { cat /tmp/training.log; exit 1; }
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || { cat /tmp/training.log; exit 1; }
  sleep 0.2
done
for path in /readyz /livez / /v1/pools /v1/openapi.json /nothing; do ask 18080 "$path" >/dev/null || true; done
ask 18081 /actuator/prometheus >/dev/null
# The cache is written on the way out.
kill "$service"
wait "$service" || true
[ -s app.aot ] || { cat /tmp/training.log; exit 1; }
rm -f /tmp/training.log /tmp/training-users
