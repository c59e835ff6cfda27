#pragma once

#include <filesystem>

#include "segmenter/check/deep_check.hh"
#include "segmenter/cli/task.hh"

namespace tributary::segmenter {

/// `check`: whether a presentation is what its index says.
class CheckTask : public Task {
 public:
  CheckTask(CLI::App& app, Messages& messages);

  void settle() override {}
  /// Prints each finding on a line of its own.
  void run(const std::atomic<bool>& interrupted) const override;

 private:
  std::filesystem::path presentation_;
  DeepCheck deep_;
};

}  // namespace tributary::segmenter
