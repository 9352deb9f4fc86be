#!/bin/sh
# backup.sh DATA DEST builds|delta: one archive of a kind, named for its instant (UTC). Any moment is a valid one: builds never change, the
# delta is only appended to. Hard links are kept. Restore: docs/runbook/16-restore.md. Needs GNU tar.
set -eu
data=$1 dest=$2 kind=$3
case $kind in
  # Beside the builds the keys, the operator's decisions on terms, and the times at which raw files were first seen, without which a build
  # of the same files has another id.
  builds)
    set -- builds; keep=3
    for name in keys.json terms.json first-seen.json; do
      if [ -e "$data/$name" ] || [ -L "$data/$name" ]; then set -- "$@" "$name"; fi
    done ;;
  # `retired` again at the end: a segment that a build moves there meanwhile is then met in one place at least.
  delta) set -- delta; [ -d "$data/delta/retired" ] && set -- "$@" delta/retired; keep=96 ;;
  *) echo "backup.sh: $kind: expected builds or delta" >&2; exit 2 ;;
esac

archive=$dest/$kind-$(date -u +%Y%m%dT%H%M%SZ).tar
trap 'rm -f "$archive.new"' EXIT
# What a backup left that was killed: none takes a day.
find "$dest" -name "$kind-*.tar.new" -mtime +0 -delete
# `current` first, so that the build it names is in the archive. It stays a link; any other link stands for what it leads to.
[ "$kind" = delta ] || tar --create --file="$archive.new" --directory="$data" current
# 1 says that a file grew or moved while it was read, which is how a live delta looks.
tar --append --dereference --file="$archive.new" --directory="$data" --exclude='builds/.tmp-*' "$@" || [ $? -eq 1 ]
if [ "$kind" = builds ]; then
  build=$(tar --list --verbose --file="$archive.new" current | sed 's/.* -> //')
  tar --list --file="$archive.new" | grep -qxF "$build/manifest.json" || {
    echo "backup.sh: $data/current: leads to $build, of which the archive has no manifest.json" >&2
    exit 1
  }
fi
sync "$archive.new"
mv "$archive.new" "$archive"
sync "$dest"
echo "$archive"

# The last ones stay; their names sort by time.
ls "$dest" | grep "^$kind-.*\.tar$" | sort -r | tail -n "+$((keep + 1))" | while read -r old; do rm "$dest/$old"; done
