#!/usr/bin/env bash
# Makes what planex needs to run on other people's Linux, in build/portable:
#
#   tools/portable.sh archives            archives of the libraries that Debian has none of, for the
#                                         static program, with the system's compiler
#   tools/portable.sh zig [SYSTEM]        Zig as compiler and archives of all libraries, for
#                                         cmake/zig.cmake; SYSTEM is linux-gnu.2.17 or linux-musl
#
# Sources are the source packages of this machine's own Debian or Ubuntu, with its patches; they are
# fetched through apt-get, whose settings stay as they are. Does nothing when all is there.
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"
PORTABLE="$ROOT/build/portable"

# Source packages; what is headers only is taken from the machine's own packages (HEADERS).
PACKAGES_ARCHIVES=(fmtlib simdjson libzip libxlsxwriter)
PACKAGES_ALL=(zlib "${PACKAGES_ARCHIVES[@]}" pugixml re2 sqlite3 utf8proc libsodium)
HEADERS=(boost CLI rapidjson protozero)

say() { printf 'portable: %s\n' "$*" >&2; }
fail() {
  say "$@"
  exit 1
}

# Runs quietly; shows what was printed only where it fails.
quietly() {
  local log="$PORTABLE/log/$1.log"
  shift
  mkdir -p "$PORTABLE/log"
  "$@" >"$log" 2>&1 </dev/null || {
    tail -n 40 "$log" >&2
    fail "failed: $* (the whole output is in $log)"
  }
}

# --- Sources --------------------------------------------------------------------------------------

# The system's own package sources, with source packages switched on, in a folder of ours.
apt_settings() {
  local folder="$PORTABLE/apt" file
  mkdir -p "$folder"/{parts,lists/partial,cache/archives/partial}
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    if [[ -s $file ]]; then
      sed -n 's/^deb /deb-src /p' "$file" >"$folder/parts/$(basename "$file" .list).list"
    fi
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    if [[ -s $file ]]; then
      sed 's/^Types:.*/Types: deb-src/' "$file" >"$folder/parts/$(basename "$file")"
    fi
  done
  printf 'Dir::Etc::SourceList "/dev/null";\n' >"$folder/apt.conf"
  printf 'Dir::Etc::SourceParts "%s/parts";\n' "$folder" >>"$folder/apt.conf"
  printf 'Dir::State::Lists "%s/lists";\n' "$folder" >>"$folder/apt.conf"
  printf 'Dir::Cache "%s/cache";\n' "$folder" >>"$folder/apt.conf"
  printf 'APT::Sandbox::User "root";\n' >>"$folder/apt.conf"
  export APT_CONFIG="$folder/apt.conf"
}

# fetch PACKAGE...: each into build/portable/sources/PACKAGE, its version in PACKAGE.version
fetch() {
  local package missing=() dsc
  for package in "$@"; do
    [[ -f $PORTABLE/sources/$package.version ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  command -v apt-get >/dev/null || fail "this needs a Debian or Ubuntu: there is no apt-get"
  say "fetching source packages: ${missing[*]}"
  apt_settings
  quietly apt-update apt-get -q update
  mkdir -p "$PORTABLE/sources/packages"
  for package in "${missing[@]}"; do
    (
      cd "$PORTABLE/sources/packages"
      rm -f "$package"_*
      # apt-get compares what it fetches with the signed list of the release.
      quietly "fetch-$package" apt-get -q source --download-only "$package"
    )
    dsc="$(printf '%s\n' "$PORTABLE/sources/packages/$package"_*.dsc | head -n 1)"
    rm -rf "$PORTABLE/sources/$package"
    quietly "unpack-$package" dpkg-source --no-check -x "$dsc" "$PORTABLE/sources/$package"
    if declare -F "prepare_$package" >/dev/null; then
      (cd "$PORTABLE/sources/$package" && "prepare_$package")
    fi
    sed -n 's/^Version: //p' "$dsc" | head -n 1 >"$PORTABLE/sources/$package.version"
  done
}

# SQLite's sources joined to one, as it is meant to be built into programs.
prepare_sqlite3() {
  quietly sqlite3-configure sh ./configure --disable-tcl --disable-readline
  quietly sqlite3-join make sqlite3.c
}

# Tables that Debian makes again from the Unicode data that it has.
prepare_re2() {
  quietly re2-tables make REBUILD_TABLES=1 re2/perl_groups.cc re2/unicode_groups.cc \
    re2/unicode_casefold.cc
}

# --- Libraries ------------------------------------------------------------------------------------

# build_library NAME FOLDER [CMAKE OPTION]...: from sources/FOLDER into $prefix
build_library() {
  local name="$1" folder="$2"
  if [[ -f $prefix/.built-$name ]]; then return; fi
  say "building $name"
  quietly "$kind-$name-configure" cmake -S "$folder" -B "$work/$name" -G Ninja \
    -D CMAKE_BUILD_TYPE=Release -D BUILD_SHARED_LIBS=OFF -D BUILD_TESTING=OFF \
    -D CMAKE_POSITION_INDEPENDENT_CODE=ON -D CMAKE_INSTALL_PREFIX="$prefix" \
    -D CMAKE_INSTALL_LIBDIR=lib -D CMAKE_C_VISIBILITY_PRESET=hidden \
    -D CMAKE_CXX_VISIBILITY_PRESET=hidden -D CMAKE_VISIBILITY_INLINES_HIDDEN=ON \
    -D CMAKE_C_FLAGS="-ffile-prefix-map=$PORTABLE/sources/=" \
    -D CMAKE_CXX_FLAGS="-ffile-prefix-map=$PORTABLE/sources/=" \
    "${compiler[@]}" "${@:3}"
  quietly "$kind-$name-build" cmake --build "$work/$name" --target install
  touch "$prefix/.built-$name"
}

# build_libraries KIND NAME...: into $prefix
build_libraries() {
  local kind="$1" work name
  work="$PORTABLE/$kind/build"
  shift
  fetch "$@"
  mkdir -p "$prefix"
  local sources="$PORTABLE/sources"
  for name in "$@"; do
    case "$name" in
      fmtlib) build_library "$name" "$sources/$name" -D FMT_DOC=OFF -D FMT_TEST=OFF ;;
      # With what planex reads and nothing else: no decryption, no other compression.
      libzip)
        build_library "$name" "$sources/$name" -D ENABLE_COMMONCRYPTO=OFF -D ENABLE_GNUTLS=OFF \
          -D ENABLE_MBEDTLS=OFF -D ENABLE_OPENSSL=OFF -D ENABLE_BZIP2=OFF -D ENABLE_LZMA=OFF \
          -D BUILD_TOOLS=OFF -D BUILD_REGRESS=OFF -D BUILD_EXAMPLES=OFF -D BUILD_DOC=OFF
        ;;
      re2) build_library "$name" "$sources/$name" -D RE2_BUILD_TESTING=OFF ;;
      zlib) build_library "$name" cmake/portable -D ZLIB_SOURCES="$sources/$name" ;;
      sqlite3) build_library "$name" cmake/portable -D SQLITE_SOURCES="$sources/$name" ;;
      libsodium) build_library "$name" cmake/portable -D SODIUM_SOURCES="$sources/$name" ;;
      *) build_library "$name" "$sources/$name" ;;
    esac
  done
}

# pkg_config_file NAME VERSION LINE...: in $prefix, for libraries that install none.
pkg_config_file() {
  printf '%s\n' "Name: $1" "Description: $1" "Version: $2" "${@:3}" >"$prefix/lib/pkgconfig/$1.pc"
}

# link_machine: what is taken from the machine's own packages. Linked one by one, since beside
# them in /usr/include are the headers of the machine's C library.
link_machine() {
  local name folder flags=()
  mkdir -p "$prefix"/{include,lib/pkgconfig}
  for name in "${HEADERS[@]}"; do
    [[ -d /usr/include/$name ]] || fail "the headers of $name are missing: run tools/setup.sh build"
    ln -sfn "/usr/include/$name" "$prefix/include/$name"
  done
  # librsvg is loaded when it is needed: its headers and the name of its file are enough.
  for folder in $(pkg-config --cflags-only-I librsvg-2.0 cairo); do
    case "$folder" in
      */librsvg-2.0 | */glib-2.0 | */glib-2.0/include | */gdk-pixbuf-2.0 | */cairo)
        flags+=("$folder")
        ;;
    esac
  done
  for name in librsvg-2.0 cairo; do
    pkg_config_file "$name" "$(pkg-config --modversion "$name")" "Cflags: ${flags[*]}"
  done
  pkg_config_file re2 0 "Libs: -L$prefix/lib -lre2" "Cflags: -I$prefix/include"
  ln -sfn "$(pkg-config --variable=libdir librsvg-2.0)/librsvg-2.so" "$prefix/lib/librsvg-2.so"
}

# --- Zig ------------------------------------------------------------------------------------------

install_zig() {
  # shellcheck source=tools/env.sh
  . tools/env.sh
  tools/setup.sh portable
  local zig name kind
  zig="$(python -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / "zig")')"
  mkdir -p "$PORTABLE/zig/bin"
  # Programs of their own, as CMake and ccache know compilers by their names.
  for name in cc c++; do
    kind=zig-clang${name#cc}
    kind=${kind/c++/++}
    {
      printf '#!/bin/sh\n# %s\n' "$("$zig" version)"
      printf 'ZIG_GLOBAL_CACHE_DIR="%s" exec "%s" %s "$@"\n' "$PORTABLE/zig/cache" "$zig" "$name"
    } >"$PORTABLE/zig/bin/$kind.new"
    chmod +x "$PORTABLE/zig/bin/$kind.new"
    # Untouched where nothing changed: ccache knows the compiler by its time.
    cmp -s "$PORTABLE/zig/bin/$kind.new" "$PORTABLE/zig/bin/$kind" ||
      mv "$PORTABLE/zig/bin/$kind.new" "$PORTABLE/zig/bin/$kind"
    rm -f "$PORTABLE/zig/bin/$kind.new"
  done
}

# --- What is wanted -------------------------------------------------------------------------------

case "${1:-}" in
  archives)
    compiler=()
    prefix="$PORTABLE/system/prefix"
    build_libraries system "${PACKAGES_ARCHIVES[@]}"
    ;;
  zig)
    system="${2:-linux-gnu.2.17}"
    install_zig
    compiler=(-D CMAKE_TOOLCHAIN_FILE="$ROOT/cmake/zig.cmake" -D PLANEX_ZIG_SYSTEM="$system")
    prefix="$PORTABLE/$system/prefix"
    link_machine
    build_libraries "$system" "${PACKAGES_ALL[@]}"
    ;;
  *)
    sed -n '2,/^set -euo/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
