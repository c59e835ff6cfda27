// Recorded sessions: what is read can be written. It is not replayed: a session believes its world.
#include <sstream>
#include <stdexcept>
#include <string>

#include "fuzz_target.hh"
#include "trace/session_trace.hh"

using namespace tributary;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in{std::string{fuzz::text(data, size)}};
  try {
    (void)SessionTrace::read(in);
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
