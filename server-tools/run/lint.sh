# What reads the sources without running them.
# shellcheck shell=bash disable=SC2154  # lists of packages.sh

# What this branch has changed, with what is not committed yet; on main itself, the last commit. Files that only moved are left out.
changed_sources() {
  local head main base file stem
  head=$(git rev-parse HEAD) || return 0
  main=$(git rev-parse --verify --quiet origin/main || git rev-parse --verify --quiet main || echo "$head")
  base=$(git merge-base "$main" "$head")
  [[ $base != "$head" ]] || base=$(git rev-parse --verify --quiet HEAD~1) || return 0
  # Those with most changes first.
  git diff --numstat -M --diff-filter=AM "$base" -- '*.cc' '*.hh' | sort -nr | cut -f 3 | while read -r file; do
    stem=${file%.*}
    [[ ! -e $stem.cc ]] || echo "$stem.cc"
  done | awk '!seen[$0]++'
}

lint() {
  install_packages "${build_packages[@]}" "${player_packages[@]}" "${demo_packages[@]}" "${test_packages[@]}" "${lint_packages[@]}"
  find client segmenter server-tools tests -name '*.cc' -o -name '*.hh' | xargs clang-format-14 --dry-run --Werror
  local most=8 sources
  mapfile -t sources < <(changed_sources)
  ((${#sources[@]} <= most)) || echo "run: clang-tidy reads the $most files with most changes, of ${#sources[@]}"
  ((${#sources[@]} > 0)) || { echo "run: no source has changed, as far as git knows" && return; }
  cmake --preset debug >/dev/null  # where each file is compiled by itself
  printf '%s\n' "${sources[@]:0:most}" | xargs -P "$(nproc)" -n 1 clang-tidy-16 -p build/debug --quiet
  # By the compiler of the build that users get, whose warnings are errors here.
  local compiled=("${sources[@]:0:most}")
  compiled=("${compiled[@]/#/$PWD/}")
  cmake --build build/debug --target "${compiled[@]/%/^}"
}
