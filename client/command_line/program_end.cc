#include "command_line/program_end.hh"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "units/text/printed_text.hh"

namespace tributary {
namespace {

int tell_end(const ErrorEnds& ends, int status, const std::string& text) {
  if (ends.tell) ends.tell(status, text);
  print_text(stderr, "{}: {}\n", ends.program, text);
  return status;
}

/// Throws std::runtime_error if something that was printed is lost, as on a full disk.
void expect_all_printed() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  std::clearerr(stdout);  // it is told once
  throw std::runtime_error(fmt::format("standard output could not be written whole{}",
                                       errno == 0 ? "" : fmt::format(": {}", std::strerror(errno))));
}

int run_and_print(const ErrorEnds& ends, const std::function<int()>& run) {
  int status = 0;
  try {
    status = run();
  } catch (const CommandLineEnd& end) {
    if (ends.tell && !end.problem.empty()) ends.tell(end.exit_status, end.problem);
    status = end.exit_status;
  }
  if (status == 0) expect_all_printed();
  return status;
}

}  // namespace

int run_program(const ErrorEnds& ends, const std::function<int()>& run) {
  const auto other = [&](const std::exception& error) { return ends.other ? ends.other(error) : 1; };
  try {
    return run_and_print(ends, run);
  } catch (const UsageError& error) {
    return tell_end(ends, kWrongUsage, error.what());
  } catch (const std::bad_alloc& error) {
    return tell_end(ends, other(error), "out of memory");
  } catch (const std::exception& error) {
    return tell_end(ends, other(error), error.what());
  }
}

}  // namespace tributary
