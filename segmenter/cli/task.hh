#pragma once

#include <CLI/CLI.hpp>
#include <atomic>

#include "command_line/introduction.hh"
#include "segmenter/cli/messages.hh"

namespace tributary::segmenter {

/// One of the things that the program does, with the options for it.
class Task {
 public:
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;

  /// Whether the user asked for it. To be called after parsing.
  bool is_wished() const { return command_.parsed(); }
  /// Settles what follows from several options together. Throws UsageError that names the wrong one.
  virtual void settle() = 0;
  /// Throws Failure. The flag, set from a signal handler, ends the work.
  virtual void run(const std::atomic<bool>& interrupted) const = 0;

 protected:
  /// The program itself.
  Task(CLI::App& app, const Messages& messages) : command_{app}, messages_{messages} {}
  /// A command of the program.
  Task(CLI::App& app, const char* command, const Introduction& introduction, const Messages& messages)
      : Task{*app.add_subcommand(command), messages} {
    introduce(command_, introduction);
  }

  CLI::App& command_;
  const Messages& messages_;
};

}  // namespace tributary::segmenter
