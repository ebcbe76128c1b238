# Makes Maven's side of a suite's bench ready. Usage: sh fairtrial_maven.sh VERB [SOURCES]
#
#   install SOURCES   keep the helper's sources, compile what Maven loads of it
#   prepare SOURCES   the same, and fetch all that the build and its tests need
#   main              compile production
#   tests             compile tests and keep how their JVMs are started
#   ensure SOURCES    install and tests, where an own `prepare` and `build` left them out
#
# FAIRTRIAL_KEPT, FAIRTRIAL_WORKSPACE and FAIRTRIAL_COMMAND come from the runner.
set -e
unset MAVEN_ARGS
MAVEN_OPTS="${MAVEN_OPTS:+$MAVEN_OPTS }-Dmaven.repo.local=$FAIRTRIAL_KEPT/m2 -Duser.home=$HOME -Dmaven.ext.class.path=$FAIRTRIAL_KEPT/extension -XX:TieredStopAtLevel=1"
export MAVEN_OPTS

install() {
  mkdir -p "$FAIRTRIAL_KEPT/jvm" "$FAIRTRIAL_KEPT/extension" "$FAIRTRIAL_KEPT/probe"
  cp "$1"/fairtrial_forks.py "$1"/fairtrial_maven.sh "$FAIRTRIAL_KEPT"
  cp -R "$1/fairtrial" "$FAIRTRIAL_KEPT/jvm"
  maven=$(dirname "$(dirname "$(readlink -f "$(command -v mvn)")")")
  javac -nowarn -d "$FAIRTRIAL_KEPT/extension" -cp "$maven/lib/*" "$1"/maven/fairtrial/maven/*.java
  cp -R "$1/maven/META-INF" "$FAIRTRIAL_KEPT/extension"
  javac -nowarn -d "$FAIRTRIAL_KEPT/probe" "$1"/probe/*.java
}

tests() {
  rm -rf "$FAIRTRIAL_KEPT/forks"
  ( mvn() { command mvn -o -B "$@"; }
    FAIRTRIAL_MAVEN=capture
    export FAIRTRIAL_MAVEN
    eval "${FAIRTRIAL_COMMAND:-mvn test}" )
  python3 -I -S "$FAIRTRIAL_KEPT/fairtrial_forks.py" ready "$FAIRTRIAL_KEPT"
}

# Maven goes by the times of files, and a file of a mixed tree may well be an old one.
forget() {
  find . -type d -name target -prune -print | while IFS= read -r made; do
    if [ -f "$made/../pom.xml" ]; then
      rm -rf "$made/classes" "$made/test-classes" "$made/maven-status"
    fi
  done
}

case $1 in
install) install "$2" ;;
prepare)
  install "$2"
  # In a copy: what Maven makes here is no part of the tree.
  copy=$(mktemp -d)
  cp -R . "$copy"
  cd "$copy"
  phase=test
  if grep -rqs --include=pom.xml maven-failsafe-plugin .; then phase=verify; fi
  FAIRTRIAL_MAVEN=fetch mvn -B -fn "$phase"
  rm -rf "$FAIRTRIAL_KEPT/forks" "$copy"
  ;;
main)
  forget
  FAIRTRIAL_MAVEN=run mvn -o -B -q compile
  ;;
tests) tests ;;
ensure)
  [ -d "$FAIRTRIAL_KEPT/extension" ] || install "$2"
  forget
  tests
  ;;
esac
