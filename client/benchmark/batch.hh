#pragma once

#include <functional>
#include <iosfwd>

#include "units/session_clock.hh"

namespace tributary {

/// The result of a run.
struct RunEnd {
  int exit_status = 0;
  Duration length{};  // of the session; known in virtual time only
};

/// Does runs one after the other in this process. Each line that is read is one: its command line, as a JSON array of
/// words, the program's name left out. When it has ended, a line is written:
///   {"exit_status": 0, "length_s": 201.5}
/// Throws std::runtime_error for a line that is something else.
void run_batch(std::istream& in, std::ostream& out, const std::function<RunEnd(int argc, char** argv)>& run);

}  // namespace tributary
