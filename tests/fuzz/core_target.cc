// The core in a world that keeps the rules of a world, and does whatever the input says at whatever time.
#include <cstdio>

#include "fuzz_target.hh"
#include "support/session_walk.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tributary::testing;
  SessionWalk walk{Choices{data, size}};
  for (const std::string& complaint : walk.run()) std::fprintf(stderr, "%s\n", complaint.c_str());
  tributary::fuzz::require(walk.complaints().empty() && walk.session().finished());
  return 0;
}
