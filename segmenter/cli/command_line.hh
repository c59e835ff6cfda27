#pragma once

#include <CLI/CLI.hpp>

#include "segmenter/cli/check_task.hh"
#include "segmenter/cli/live_task.hh"
#include "segmenter/cli/package_task.hh"
#include "segmenter/cli/prepare_task.hh"
#include "segmenter/cli/replay_task.hh"

namespace tributary::segmenter {

/// All that the program does, and the words that ask for it.
class CommandLine {
 public:
  CommandLine();

  CLI::App& app() { return app_; }
  const Messages& messages() const { return messages_; }
  /// What the user asked for. To be called after parsing.
  Task& task();

 private:
  CLI::App app_;
  Messages messages_;
  PrepareTask prepare_;
  PackageTask package_;
  LiveTask live_;
  ReplayTask replay_;
  CheckTask check_;
};

}  // namespace tributary::segmenter
