#include "command_line/program_end.hh"

#include <new>

#include "units/printed_text.hh"

namespace tributary {
namespace {

int tell_end(const ErrorEnds& ends, int status, const std::string& text) {
  if (ends.tell) ends.tell(status, text);
  print_text(stderr, "{}: {}\n", ends.program, text);
  return status;
}

}  // namespace

int run_program(const ErrorEnds& ends, const std::function<int()>& run) {
  const auto other = [&](const std::exception& error) { return ends.other ? ends.other(error) : 1; };
  try {
    return run();
  } catch (const CommandLineEnd& end) {
    return end.exit_status;
  } catch (const UsageError& error) {
    return tell_end(ends, ends.usage, error.what());
  } catch (const std::bad_alloc& error) {
    return tell_end(ends, other(error), "out of memory");
  } catch (const std::exception& error) {
    return tell_end(ends, other(error), error.what());
  }
}

}  // namespace tributary
