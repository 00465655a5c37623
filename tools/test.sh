#!/usr/bin/env bash
# Builds and runs every test that needs no GPU. Runs all groups, then says which failed.
#
# Real engines come from PLANEX_TEST_DATA, by default ../shared/data. Without them the tests that
# need them are skipped and say so; in CI (CI=true) they must be there.
#
# What a group prints is also in build/test/log; the ends of those that failed are printed once more
# at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh test
# shellcheck source=tools/env.sh
. tools/env.sh

data="$(realpath -m -- "${PLANEX_TEST_DATA:-../shared/data}")"
export PLANEX_TEST_DATA="$data"
if [[ ! -d $data/engines ]]; then
  if [[ ${CI:-} == true ]]; then
    printf 'test: no real engines in %s; CI needs them\n' "$data" >&2
    exit 1
  fi
  printf 'test: no real engines in %s: some tests will be skipped\n' "$data" >&2
fi

failed=()
group() {
  local name="$1" start=$SECONDS log="build/test/log/${1// /_}.log" verdict=passed both
  shift
  printf '\n=== %s\n' "$name"
  # Not a pipe: what a group exports is for those after it. A descriptor of this shell, since bash
  # tells the number of tee's process to the shell that made it alone.
  exec {both}> >(tee "$log")
  local tee_process=$!
  "$@" >&"$both" 2>&1 {both}>&- || verdict=FAILED
  exec {both}>&-
  # What it left running may keep tee waiting.
  timeout 5 tail --pid="$tee_process" -f /dev/null || true
  printf '=== %s: %s, %s s\n' "$name" "$verdict" $((SECONDS - start))
  if [[ $verdict == FAILED ]]; then failed+=("$name"); fi
}

# The functions below run in front of "||", where set -e has no effect: hence the && chains.

# What is built for sanitizers is compiled beside the other groups, behind all that they do: they
# leave half of two processors idle. It is a session of its own, as the kernel may share time out by
# sessions first, and a browser is one, too. Its warnings are in build/test/log/PRESET.log.
compiling=
compile_meanwhile() {
  local preset="$1" target="$2"
  shift 2
  tools/build.sh --configure "$preset" "$@" >"build/test/log/$preset.log" 2>&1 || return
  # shellcheck disable=SC2016
  setsid bash -c '{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 19 ninja "$@"' \
    ninja -C "build/$preset" "$target" >>"build/test/log/$preset.log" 2>&1 &
  compiling=$!
}
trap 'if [[ -n $compiling ]]; then kill "$compiling" 2>/dev/null || true; fi' EXIT

# What failed is built again, where it is seen.
wait_for_compiling() {
  wait "$compiling" || true
  compiling=
}

cpp_tests() {
  wait_for_compiling
  tools/build.sh asan -D "PLANEX_TEST_DATA=$data" &&
    compile_meanwhile tsan planex_threads_test &&
    ctest --preset asan
}

# One test, and what it needs.
thread_tests() {
  wait_for_compiling
  tools/build.sh tsan && build/tsan/tests/planex_threads_test --gtest_brief=1
}

install_for_tests() {
  rm -rf build/test/prefix && tools/install.sh build/test/prefix >build/test/install.log &&
    export PLANEX_BIN="$PWD/build/test/prefix/bin/planex"
}

dist_tests() {
  tools/dist.sh >build/test/dist.log && python -m pytest --numprocesses 2 tests/dist
}

# The engines that users install are in an environment of their own.
driver_tests() {
  local drivers_python
  drivers_python="$(tools/drivers_env.sh)" &&
    PLANEX_DRIVERS_PYTHON="$drivers_python" python -m pytest --numprocesses 2 --dist loadfile \
      tests/drivers
}

site_tests() {
  tools/site.sh && python -m pytest tests/site
}

in_browser() {
  PLANEX_REPORT_DIR="$PWD/build/test/reports" PLANEX_BIN="$PWD/build/release/planex" \
    PLANEX_CHROMIUM="${PLANEX_CHROMIUM:-$(command -v chromium || true)}" \
    npm --prefix web run "$@"
}

report_tests() {
  if [[ ! -d $data/engines ]]; then
    printf 'skipped: needs the real engines\n'
    return 0
  fi
  tools/make_test_reports.sh build/release/planex "$data" build/test/reports && in_browser e2e
}

# The core as WebAssembly, the page around it, and a program whose reports carry it.
core_tests() {
  local -x PLANEX_CORE
  PLANEX_CORE="$(tools/core.sh)" && tools/page.sh && tools/build.sh --core release &&
    PLANEX_BIN="$PWD/build/release/planex" python -m pytest --numprocesses 2 tests/core &&
    npm --prefix web test -- src/core &&
    in_browser e2e -- e2e/carried e2e/explorer.spec e2e/exported &&
    # What comes after it is as `make build` makes it.
    tools/build.sh release
}

mkdir -p build/test/log
# Without a program there is nothing to test.
printf '\n=== release build\n'
tools/build.sh release
compile_meanwhile asan all -D "PLANEX_TEST_DATA=$data" || true

group "web tests" npm --prefix web test
group "report page in a browser" report_tests
group "core in a page" core_tests
group "installation" install_for_tests
# Needs the release build, whose objects the wheel is made of.
group "Python package" env PLANEX_WHEEL=new tools/test_python.sh -q
# Asks the program and the package for what it describes.
group "documentation site" site_tests
# Workers take whole files: what a file's tests share is made once.
group "Python and end-to-end tests" python -m pytest --numprocesses 2 --dist loadfile \
  --ignore tests/dist --ignore tests/drivers --ignore tests/site
group "programs of other engines" driver_tests
# On programs that are linked of the release build's objects.
group "distribution" dist_tests
group "C++ tests with sanitizers" cpp_tests
group "one session in many threads" thread_tests

if ((${#failed[@]} > 0)); then
  for name in "${failed[@]}"; do
    printf '\n=== %s: the end of what it printed\n' "$name"
    tail -n 60 "build/test/log/${name// /_}.log"
  done
  printf '\ntest: FAILED: %s\n' "$(printf '%s, ' "${failed[@]}" | sed 's/, $//')"
  exit 1
fi
printf '\ntest: all groups passed\n'
