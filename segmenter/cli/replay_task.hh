#pragma once

#include "segmenter/cli/task.hh"
#include "segmenter/live/replay_job.hh"

namespace tributary::segmenter {

/// `replay`: a prepared presentation as if it were live.
class ReplayTask : public Task {
 public:
  ReplayTask(CLI::App& app, Messages& messages);

  void settle() override;
  void run(const std::atomic<bool>& interrupted) const override;

 private:
  ReplayOptions options_;
};

}  // namespace tributary::segmenter
