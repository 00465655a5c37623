#!/usr/bin/env bash
# Builds planex and runs groups of tests; runs all of them, then says which failed.
#
#   tools/test.sh              those of `make test`: what shows most faults, on one engine of each
#                              producer and reader form
#   tools/test.sh --all        every group (`make test-all`): every engine, too
#   tools/test.sh GROUP...     these groups; tools/test_groups.toml has them all
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
# shellcheck source=tools/logged.sh
. tools/logged.sh

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
failed_logs=()
group() {
  local name="$1" start=$SECONDS log="build/test/log/${2#group_}.log" verdict=passed
  shift
  printf '\n=== %s\n' "$name"
  logged "$log" "$@" || verdict=FAILED
  printf '=== %s: %s, %s s\n' "$name" "$verdict" $((SECONDS - start))
  if [[ $verdict == FAILED ]]; then failed+=("$name") failed_logs+=("$log"); fi
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
  if [[ -n $compiling ]]; then wait "$compiling" || true; fi
  compiling=
}

# In CI what is skipped fails: ctest's own log has what each program printed.
no_gtest_skips() {
  local log="$1" allowed skipped
  if [[ ${CI:-} != true ]]; then return 0; fi
  allowed="$(sed -n 's/^gtest\t//p' tests/may_skip.txt)"
  skipped="$(grep -B 1 '^\[  SKIPPED \] .*ms)$' "$log" | grep -v '^\(--\|\[\)' |
    grep -vF -- "$allowed" || true)"
  if [[ -z $skipped ]]; then return 0; fi
  printf 'skipped, which CI does not allow:\n%s\n' "$skipped"
  return 1
}

build_asan() {
  wait_for_compiling
  tools/build.sh asan -D "PLANEX_TEST_DATA=$data"
}

group_cpp() {
  build_asan && ctest --preset asan && no_gtest_skips build/asan/Testing/Temporary/LastTest.log
}

# One test, and what it needs.
group_threads() {
  tools/build.sh tsan && build/tsan/tests/planex_threads_test --gtest_brief=1
}

# The program as it is installed.
install_for_tests() {
  tools/build.sh release && rm -rf build/test/prefix &&
    tools/install.sh build/test/prefix >build/test/install.log &&
    export PLANEX_BIN="$PWD/build/test/prefix/bin/planex"
}

# Workers take whole files: what a file's tests share is made once.
group_command_line() {
  local -x PLANEX_BIN
  install_for_tests && python -m pytest --numprocesses 2 --dist loadfile \
    --ignore tests/core --ignore tests/dist --ignore tests/drivers --ignore tests/site
}

# Of the release build's objects.
group_package() {
  PLANEX_WHEEL=new tools/test_python.sh -q --numprocesses 2 --dist loadfile -m 'not cluster'
}

group_clusters() {
  PLANEX_WHEEL=new tools/test_python.sh -q -m cluster
}

group_distribution() {
  tools/build.sh release && tools/dist.sh >build/test/dist.log &&
    python -m pytest --numprocesses 2 tests/dist
}

# The engines that users install are in an environment of their own.
group_drivers() {
  local drivers_python
  local -x PLANEX_BIN
  install_for_tests && drivers_python="$(tools/drivers_env.sh)" &&
    PLANEX_DRIVERS_PYTHON="$drivers_python" python -m pytest --numprocesses 2 --dist loadfile \
      tests/drivers
}

# Follows advice on small models, in the engines that run here.
group_evidence() {
  local drivers_python
  local -x PLANEX_BIN
  install_for_tests && drivers_python="$(tools/drivers_env.sh)" &&
    PLANEX_DRIVERS_PYTHON="$drivers_python" tools/evidence.sh check
}

# Asks the program and the package for what it describes.
group_site() {
  local -x PLANEX_BIN
  install_for_tests && tools/site.sh && python -m pytest tests/site
}

group_fuzzing() {
  PLANEX_FUZZ_JOBS=2 tools/fuzz.sh 20
}

# The core as WebAssembly, the page around it, and a program whose reports carry it; once a run.
has_core=false
build_core() {
  if $has_core; then return 0; fi
  local core
  core="$(tools/core.sh)" && export PLANEX_CORE="$core" && tools/page.sh && has_core=true
}

group_web() {
  build_core && npm --prefix web test
}

in_browser() {
  PLANEX_REPORT_DIR="$PWD/build/test/reports" PLANEX_BIN="$PWD/build/release/planex" \
    PLANEX_CHROMIUM="${PLANEX_CHROMIUM:-$(command -v chromium || true)}" \
    npm --prefix web run e2e -- "$@"
}

reports_and_browser() {
  if [[ ! -d $data/engines ]]; then
    printf 'skipped: needs the real engines\n'
    return 0
  fi
  build_core && tools/build.sh --core release &&
    tools/make_test_reports.sh build/release/planex "$data" build/test/reports && in_browser "$@"
}

group_page() {
  reports_and_browser && PLANEX_BIN="$PWD/build/release/planex" \
    python -m pytest --numprocesses 2 tests/core
}

# What sweeps over engines, pages, sizes or looks (web/e2e/chosen.ts), over all of them.
group_page_engines() {
  local -x PLANEX_TEST_ENGINES=all
  reports_and_browser e2e/every_engine.spec e2e/explorer.spec e2e/hostile.spec e2e/axe.spec \
    e2e/fits.spec e2e/graph.spec e2e/judge.spec e2e/memory.spec e2e/report.spec e2e/sql.spec \
    e2e/timing.spec
}

group_engines() {
  local -x PLANEX_BIN PLANEX_TEST_ENGINES=all
  install_for_tests && build_core &&
    python -m pytest --numprocesses 2 tests/consistency tests/cli/test_draw.py tests/core &&
    build_asan && ctest --preset asan -R '^(golden|trees|property|mutation|align_truth)$' &&
    no_gtest_skips build/asan/Testing/Temporary/LastTest.log
}

case "${1:-}" in
  '') mapfile -t groups < <(tools/test_groups.py list test) ;;
  --all) mapfile -t groups < <(tools/test_groups.py list all) ;;
  *) groups=("$@") ;;
esac
for id in "${groups[@]}"; do
  declare -F "group_${id//-/_}" >/dev/null || {
    printf 'test: there is no group %s; there are:\n' "$id" >&2
    tools/test_groups.py list all >&2
    exit 2
  }
done

mkdir -p build/test/log
# Without a program there is nothing to test.
printf '\n=== release build\n'
tools/build.sh release
for id in "${groups[@]}"; do
  if [[ $id == cpp ]]; then compile_meanwhile asan all -D "PLANEX_TEST_DATA=$data" || true; fi
done

for id in "${groups[@]}"; do
  group "$(tools/test_groups.py title "$id")" "group_${id//-/_}"
done

if ((${#failed[@]} > 0)); then
  for i in "${!failed[@]}"; do
    printf '\n=== %s: the end of what it printed\n' "${failed[i]}"
    tail -n 60 "${failed_logs[i]}"
  done
  printf '\ntest: FAILED: %s\n' "$(printf '%s, ' "${failed[@]}" | sed 's/, $//')"
  exit 1
fi
printf '\ntest: all groups passed\n'
