#!/bin/sh
# How long a service takes from its start to ready: docker/start-time.sh FOLDER [TIMES], where FOLDER holds what the image has in
# /app and `java` is the image's. Postgres is told of as to any service (SPRING_DATASOURCE_URL and so on).
set -eu
cd "$1"
export SERVER_PORT=${SERVER_PORT:-18080} MANAGEMENT_SERVER_PORT=${MANAGEMENT_SERVER_PORT:-18081}

i=0
while [ "$i" -lt "${2:-3}" ]; do
  i=$((i + 1))
  begin=$(date +%s%N)
  ./run.sh >/tmp/start-time.log 2>&1 &
  service=$!
  until curl -sf -o /dev/null "http://127.0.0.1:$SERVER_PORT/readyz"; do
    kill -0 "$service" 2>/dev/null || { cat /tmp/start-time.log; exit 1; }
    sleep 0.02
  done
  end=$(date +%s%N)
  cpu=$(awk '{ print ($14 + $15) / 100 }' "/proc/$service/stat")
  echo "ready after $(((end - begin) / 1000000)) ms, $cpu s of CPU"
  kill "$service"
  wait "$service" || true
done
rm -f /tmp/start-time.log
