#pragma once

#include "segmenter/cli/task.hh"
#include "segmenter/package/package_job.hh"

namespace tributary::segmenter {

/// `package`: files that are encoded already.
class PackageTask : public Task {
 public:
  PackageTask(CLI::App& app, Messages& messages);

  void settle() override;
  void run(const std::atomic<bool>& interrupted) const override;

  const PackageOptions& options() const { return options_; }

 private:
  PackageOptions options_;
};

}  // namespace tributary::segmenter
