# The tests.
# shellcheck shell=bash disable=SC2154  # lists of packages.sh

run_tests() {
  install_packages "${build_packages[@]}" "${player_packages[@]}" "${demo_packages[@]}" "${test_packages[@]}"
  local preset=asan
  if [[ ${1:-} == --optimised ]]; then
    preset=optimised
    shift
  fi
  local left_out=()
  if [[ ${1:-} == --long ]]; then
    shift
    export TRIBUTARY_LONG_TESTS=1  # sweeps try all their cases (tests/support/sweep.hh)
  elif (($# == 0)); then
    left_out=(-LE long)
  fi
  umask 022  # servers, which run as somebody else, read what tests make
  build "$preset" all
  # Most tests wait for links and players: one more than there are processors keeps these busy.
  ctest --preset "$preset" -j $(($(nproc) + 1)) "${left_out[@]}" "$@"
}
