# Builds by the presets of CMakePresets.json.
# shellcheck shell=bash

# build PRESET TARGET [OPTION...]: options of cmake
build() {
  local preset=$1 target=$2
  shift 2
  [[ -w ${HOME:-/} ]] || export CCACHE_DISABLE=1  # it keeps its files there
  local said
  said=$(cmake --preset "$preset" "$@" 2>&1) || { echo "$said" >&2 && return 1; }
  # With another compiler than before, cmake forgets all other variables of the preset.
  [[ $said != *"require your cache to be deleted"* ]] || cmake --preset "$preset" --fresh "$@" >/dev/null
  grep -A 1 "could not be fetched" <<<"$said" >&2 || true
  cmake --build --preset "$preset" --target "$target"
}

# Progress is for a terminal; what is not all right is told anywhere.
build_quietly() {
  [[ ! -t 1 ]] || { build "$@"; return; }
  local said
  said=$(build "$@" 2>&1) || { echo "$said" >&2 && return 1; }
}
