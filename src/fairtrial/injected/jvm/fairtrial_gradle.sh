# Makes Gradle's side of a suite's bench ready. Usage: sh fairtrial_gradle.sh VERB [SOURCES]
#
#   prepare SOURCES   keep the helper's sources, fetch all that the build and its tests need
#   main              compile production
#   tests             compile tests and keep how their JVMs are started
#   ensure SOURCES    keep the sources and do tests, where an own `build` left that out
#
# FAIRTRIAL_KEPT, FAIRTRIAL_WORKSPACE and GRADLE_USER_HOME come from the runner. Whatever
# starts Gradle, its wrapper too, finds our init script in GRADLE_USER_HOME/init.d.
set -e

gradle() {
  if [ -f ./gradlew ]; then sh ./gradlew -q --console plain "$@"; else command gradle -q --console plain "$@"; fi
}

settle() {
  printf '%s\n' org.gradle.daemon=false org.gradle.caching=false \
    org.gradle.configuration-cache=false kotlin.compiler.execution.strategy=in-process \
    > "$GRADLE_USER_HOME/gradle.properties"
}

install() {
  mkdir -p "$FAIRTRIAL_KEPT/jvm" "$GRADLE_USER_HOME/init.d"
  cp "$1"/fairtrial_forks.py "$1"/fairtrial_gradle.sh "$FAIRTRIAL_KEPT"
  cp -R "$1/fairtrial" "$FAIRTRIAL_KEPT/jvm"
  cp "$1/gradle/fairtrial.gradle" "$GRADLE_USER_HOME/init.d"
  settle
}

tests() {
  rm -rf "$FAIRTRIAL_KEPT/forks"
  FAIRTRIAL_GRADLE=capture
  export FAIRTRIAL_GRADLE
  gradle fairtrialCapture
  python3 -I -S "$FAIRTRIAL_KEPT/fairtrial_forks.py" ready "$FAIRTRIAL_KEPT"
}

case $1 in
prepare)
  install "$2"
  # The user's own settings may name registries and passwords: for this step alone.
  if [ -f "$HOME/.gradle/gradle.properties" ]; then
    cat "$HOME/.gradle/gradle.properties" >> "$GRADLE_USER_HOME/gradle.properties"
  fi
  # In a copy: what Gradle makes here is no part of the tree.
  copy=$(mktemp -d)
  cp -R . "$copy"
  cd "$copy"
  FAIRTRIAL_GRADLE=fetch
  export FAIRTRIAL_GRADLE
  gradle fairtrialFetch
  rm -rf "$copy"
  settle
  ;;
main)
  FAIRTRIAL_GRADLE=run
  export FAIRTRIAL_GRADLE
  gradle classes
  ;;
tests) tests ;;
ensure)
  [ -d "$FAIRTRIAL_KEPT/jvm" ] || install "$2"
  tests
  ;;
esac
