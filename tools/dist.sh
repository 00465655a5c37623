#!/usr/bin/env bash
# Makes what is passed on: tools/dist.sh [--core] [FOLDER], by default build/dist. With --core the
# program's reports carry the core (tools/core.sh).
#
#   planex-VERSION-linux-ARCH.tar.gz   the static program with manual pages, completions, notices
#   planex_VERSION_ARCH.deb            the program as a Debian package
#   planex-VERSION.cdx.json            what is in them (CycloneDX)
#   Containerfile                      for an image that holds nothing but the static program
#   SHA256SUMS                         of all files, with what tools/wheel.sh put there
#
# The programs are linked of the release build's objects. The same commit gives the same bytes on the
# same packages of the system (docs/design/0034-portable-builds.md).
set -euo pipefail
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"
core=()
if [[ ${1:-} == --core ]]; then
  core=(--core)
  shift
fi
mkdir -p "${1:-build/dist}"
dist="$(cd "${1:-build/dist}" && pwd)"

tools/portable.sh old
tools/build.sh "${core[@]}" release -D PLANEX_BUILD_STATIC=ON \
  -D PLANEX_OLD_GLIBC="$ROOT/build/portable/glibc-2.17" >build/portable/log/dist-build.log 2>&1 || {
  tail -n 40 build/portable/log/dist-build.log >&2
  exit 1
}
cmake --build build/release --target planex_static planex_packaged >build/portable/log/dist-link.log

program=build/release/static/planex
version="$(tools/sbom.py --version)"
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
architecture="$(dpkg --print-architecture)"
umask 022
export LC_ALL=C TZ=UTC

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# What was made here before; wheels stay.
rm -f "$dist"/planex[-_]* "$dist"/{Containerfile,SHA256SUMS}

# stage FOLDER PREFIX PROGRAM: what is installed, with PROGRAM as planex.
stage() {
  cmake --install build/release --component program --prefix "$1/$2" >/dev/null
  strip --strip-all --output-file="$1/$2/bin/planex" "$3"
  chmod 755 "$1/$2/bin/planex"
}

# --- The static program ---------------------------------------------------------------------------

name="planex-$version-linux-$(uname -m)"
stage "$work/static" "$name" "$program"
tools/notices.sh "$work/static/$name/share/doc/planex/notices"
tar --directory "$work/static" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@$SOURCE_DATE_EPOCH" --create "$name" | gzip -9n >"$dist/$name.tar.gz"
# Beside it, since the image is made of this folder.
sed "s/@NAME@/$name/g" tools/dist/Containerfile >"$dist/Containerfile"

# --- The Debian package ---------------------------------------------------------------------------

deb="$work/deb"
stage "$deb" usr build/release/packaged/planex
documents="$deb/usr/share/doc/planex"
tools/notices.sh "$documents/notices"
mv "$deb/usr/share/zsh/site-functions" "$deb/usr/share/zsh/vendor-completions"
sed 's/@YEAR@/'"$(date --utc --date "@$SOURCE_DATE_EPOCH" +%Y)"'/' tools/dist/copyright \
  >"$documents/copyright"
rm "$documents/LICENSE"
{
  printf 'planex (%s) stable; urgency=medium\n\n  * Release %s.\n\n' "$version" "$version"
  printf ' -- The planex authors <planex@localhost>  %s\n' \
    "$(date --utc --rfc-email --date "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$documents/changelog.gz"
gzip -9n "$deb"/usr/share/man/man1/*.1
install -D -m 644 tools/dist/lintian-overrides "$deb/usr/share/lintian/overrides/planex"
mkdir -p "$deb/DEBIAN"
# Not what dpkg-shlibdeps says: it takes functions that were in libpthread before 2.34 for new ones.
# tests/dist looks at what the program asks for.
depends="libc6 (>= 2.17), libgcc-s1 (>= 4.2)"
sed -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/" \
  -e "s/@DEPENDS@/$depends/" \
  -e "s/@SIZE@/$(du --summarize --apparent-size --block-size=1024 "$deb/usr" | cut -f 1)/" \
  tools/dist/control >"$deb/DEBIAN/control"
(cd "$deb" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$deb/DEBIAN/md5sums"
find "$deb" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$deb" "$dist/planex_${version}_$architecture.deb" \
  >/dev/null

# --- What is in them ------------------------------------------------------------------------------

tools/sbom.py >"$dist/planex-$version.cdx.json"
if [[ -x tools/wheel.sh ]]; then tools/wheel.sh "${core[@]}" "$dist"; fi
(cd "$dist" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort |
  xargs sha256sum >SHA256SUMS)
cat "$dist/SHA256SUMS"
