#!/usr/bin/env bash
# Makes what planex needs to run on other people's Linux, in build/portable:
#
#   tools/portable.sh archives            archives of the libraries that Debian has none of, for the
#                                         static program, with the system's compiler
#   tools/portable.sh old                 what the wheel is linked with to run on older systems: the
#                                         archives, one of RE2, and names of an older C library
#   tools/portable.sh wasi                libraries of the page's core, as WebAssembly
#
# Sources are the source packages of this machine's own Debian or Ubuntu, with its patches; they are
# fetched through apt-get, whose settings stay as they are. Does nothing when all is there.
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"
PORTABLE="$ROOT/build/portable"

# Source packages.
PACKAGES_ARCHIVES=(fmtlib simdjson libzip libxlsxwriter)
PACKAGES_WASI=(fmtlib simdjson libzip re2 pugixml utf8proc zlib libsodium sqlite3)

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

# Tables that Debian makes again from the Unicode data that it has.
prepare_re2() {
  quietly re2-tables make REBUILD_TABLES=1 re2/perl_groups.cc re2/unicode_groups.cc \
    re2/unicode_casefold.cc
}

# All of it in one source.
prepare_sqlite3() {
  quietly sqlite3-configure ./configure --disable-tcl
  quietly sqlite3-source make sqlite3.c
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
    "${@:3}"
  quietly "$kind-$name-build" cmake --build "$work/$name" --target install
  touch "$prefix/.built-$name"
}

# With what planex reads and nothing else: no decryption, no other compression.
build_libzip() {
  build_library libzip "$PORTABLE/sources/libzip" -D ENABLE_COMMONCRYPTO=OFF -D ENABLE_GNUTLS=OFF \
    -D ENABLE_MBEDTLS=OFF -D ENABLE_OPENSSL=OFF -D ENABLE_BZIP2=OFF -D ENABLE_LZMA=OFF \
    -D BUILD_TOOLS=OFF -D BUILD_REGRESS=OFF -D BUILD_EXAMPLES=OFF -D BUILD_DOC=OFF "$@"
}

# build_libraries KIND NAME...: into $prefix
build_libraries() {
  local kind="$1" work name sources="$PORTABLE/sources"
  work="$PORTABLE/$kind/build"
  shift
  fetch "$@"
  mkdir -p "$prefix"
  for name in "$@"; do
    case "$name" in
      fmtlib) build_library "$name" "$sources/$name" -D FMT_DOC=OFF -D FMT_TEST=OFF ;;
      libzip) build_libzip ;;
      re2) build_library "$name" "$sources/$name" -D RE2_BUILD_TESTING=OFF ;;
      *) build_library "$name" "$sources/$name" ;;
    esac
  done
}

# --- What is wanted -------------------------------------------------------------------------------

case "${1:-}" in
  archives)
    prefix="$PORTABLE/system/prefix"
    build_libraries system "${PACKAGES_ARCHIVES[@]}"
    ;;
  old)
    # shellcheck source=tools/env.sh
    . tools/env.sh
    tools/setup.sh wheel old
    prefix="$PORTABLE/system/prefix"
    build_libraries system "${PACKAGES_ARCHIVES[@]}"
    # Debian's archive of it can't be part of a shared library.
    prefix="$PORTABLE/shared/prefix"
    build_libraries shared re2
    # The oldest that manylinux has a name for and these objects can be linked for.
    stubs="$PORTABLE/glibc-2.17"
    if ! [[ $stubs/.made -nt tools/old_glibc.py && $stubs/.made -nt cmake/portable/old_glibc.c ]]; then
      quietly old-glibc tools/old_glibc.py 2.17 "$stubs"
      tools/notices.sh "$stubs/notices"
      touch "$stubs/.made"
    fi
    ;;
  wasi)
    kind=wasi
    prefix="$PORTABLE/wasi/prefix"
    work="$PORTABLE/wasi/build"
    fetch "${PACKAGES_WASI[@]}"
    mkdir -p "$prefix/include"
    toolchain=(-D "CMAKE_TOOLCHAIN_FILE=$ROOT/cmake/wasi/toolchain.cmake" -D "CMAKE_FIND_ROOT_PATH=$prefix")
    build_library libraries "$ROOT/cmake/wasi/libraries" "${toolchain[@]}" \
      -D "SOURCES=$PORTABLE/sources"
    build_libzip "${toolchain[@]}" -D "ZLIB_LIBRARY=$prefix/lib/libz.a" \
      -D "ZLIB_INCLUDE_DIR=$prefix/include" \
      -D CMAKE_C_FLAGS="-w -Wno-implicit-function-declaration" # of functions for files, not linked
    # Headers alone, the same for every system.
    for headers in boost protozero rapidjson; do
      ln -sfn "/usr/include/$headers" "$prefix/include/$headers"
    done
    ;;
  *)
    sed -n '2,/^set -euo/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
