#!/bin/sh
# Starts the service of this image; JDK_JAVA_OPTIONS adds options of the JVM, arguments are the service's.
# A cache that does not fit, such as with another collector, is left aside by the JVM.
# By its whole path, as in the training run.
app=$(cd "$(dirname "$0")" && pwd)
exec java -XX:AOTCache="$app/app.aot" -XX:+ExitOnOutOfMemoryError "@$app/jvm.options" -jar "$app/app.jar" "$@"
