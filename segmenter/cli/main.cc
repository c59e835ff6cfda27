#include <atomic>
#include <csignal>
#include <filesystem>

#include "command_line/parse.hh"
#include "segmenter/cli/command_line.hh"
#include "segmenter/encoders/encoder_process.hh"
#include "segmenter/failure.hh"
#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

void note_signals() {
  struct sigaction action {};
  // A second signal finds the default action again and ends the program at once.
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int status_after(const std::exception& error) {
  ExitCode code = ExitCode::kCodec;  // the machine cannot do what is asked: no memory, no process
  if (const auto* const failure = dynamic_cast<const Failure*>(&error)) code = failure->code();
  if (dynamic_cast<const std::filesystem::filesystem_error*>(&error) != nullptr) code = ExitCode::kOutput;
  return static_cast<int>(code);
}

}  // namespace
}  // namespace tributary::segmenter

int main(int argc, char** argv) {
  using namespace tributary::segmenter;
  LibavComplaints::listen();
  if (argc == 2 && argv[1] == kEncoderProcess) return serve_encoder();
  CommandLine line;
  const auto tell = [&](int status, const std::string& text) { line.messages().tell_error(status, text); };
  const tributary::ErrorEnds ends{.program = "tributary-segment", .other = status_after, .tell = tell};
  return tributary::run_program(ends, [&] {
    tributary::parse(line.app(), argc, argv, [&] { line.task().settle(); });
    note_signals();
    line.task().run(interrupted);
    return 0;
  });
}
