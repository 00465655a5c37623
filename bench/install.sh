#!/usr/bin/env bash
# Measures how long it takes from nothing to an engine's report, in a root that has Python and pip and
# neither compiler nor libraries: bench/install.sh [WHEEL [SUITE [MIRROR]]]
#
# The root is made by debootstrap, which needs root and a network, once for each SUITE (bookworm; or
# jammy, trixie, …), in build/bench/root-SUITE. Then, without a network: a new environment, the wheel,
# its import, and a report. The issue's limit for install and report together is 60 s.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wheels=(build/dist/planex_explorer-*.whl)
wheel="${1:-${wheels[-1]}}"
suite="${2:-bookworm}"
mirror="${3:-http://deb.debian.org/debian}"
root="build/bench/root-$suite"

if [[ ! -f $root/.made ]]; then
  command -v debootstrap >/dev/null || {
    printf 'bench/install.sh: debootstrap is missing: apt-get install debootstrap\n' >&2
    exit 1
  }
  rm -rf "$root"
  mkdir -p "$(dirname "$root")"
  debootstrap --variant=minbase --include=python3,python3-pip,python3-venv "$suite" "$root" \
    "$mirror" >"$root.log"
  touch "$root/.made"
fi
rm -rf "$root/bench"
mkdir "$root/bench"
cp "$wheel" "$root/bench/"
cp -r examples/engines/resnet18-a100-qat "$root/bench/engine"

# Its own process and mount names, so that /proc is the root's; no network to fetch anything from.
# shellcheck disable=SC2016
unshare --mount --pid --net --fork chroot "$root" /bin/bash -euo pipefail -c '
  mount -t proc proc /proc
  cd /bench
  if command -v cc gcc clang >/dev/null; then echo "there is a compiler"; exit 1; fi
  now() { date +%s.%N; }
  start=$(now)
  python3 -m venv env
  made=$(now)
  env/bin/pip install --quiet --disable-pip-version-check --no-index ./*.whl
  installed=$(now)
  env/bin/planex report engine -o report.html
  reported=$(now)
  test "$(wc -c <report.html)" -gt 200000
  env/bin/python - "$start" "$made" "$installed" "$reported" <<END
import subprocess, sys, platform
start, made, installed, reported = map(float, sys.argv[1:])
code = "import time; a = time.perf_counter(); import planex; print(time.perf_counter() - a)"
times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5)]
print(f"Python {platform.python_version()}, glibc {platform.libc_ver()[1]}")
print(f"environment    {made - start:6.2f} s")
print(f"pip install    {installed - made:6.2f} s")
print(f"report         {reported - installed:6.2f} s")
print(f"import planex  {min(times):6.3f} s, least of 5")
whole = reported - made
print(f"install and report {whole:.2f} s")
sys.exit(whole > 60)
END
'
