#pragma once

#include "segmenter/cli/task.hh"
#include "segmenter/live/live_job.hh"

namespace tributary::segmenter {

/// `live`: a source that plays on.
class LiveTask : public Task {
 public:
  LiveTask(CLI::App& app, Messages& messages);

  void settle() override;
  void run(const std::atomic<bool>& interrupted) const override;

  const LiveOptions& options() const { return options_; }

 private:
  LiveOptions options_;
};

/// Says to people which numbers the published segments have.
void say_numbers(const Messages& messages, const std::filesystem::path& output, std::uint64_t segments,
                 std::uint64_t first);

}  // namespace tributary::segmenter
