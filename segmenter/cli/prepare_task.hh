#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "segmenter/cli/task.hh"
#include "segmenter/encode/encode_job.hh"
#include "segmenter/synthetic/synthetic_movie.hh"

namespace tributary::segmenter {

/// A presentation of plain bytes.
struct SyntheticOptions {
  std::string sizes;  // a file, or thesis[:SEED]; empty: not wished
  bool index_only = false;
  std::size_t segments = kThesisSegments;
};

/// The program without a command: encodes a film, joins shards of it, or writes plain bytes.
class PrepareTask : public Task {
 public:
  PrepareTask(CLI::App& app, Messages& messages);

  void settle() override;
  void run(const std::atomic<bool>& interrupted) const override;

  const EncodeOptions& encoding() const { return encoding_; }

 private:
  void declare_sections();
  void declare_synthetic();
  void refuse_contradictions() const;
  void run_encode(const std::atomic<bool>& interrupted) const;
  void run_synthetic(const std::atomic<bool>& interrupted) const;

  EncodeOptions encoding_;
  SyntheticOptions synthetic_;
  std::vector<std::filesystem::path> shards_;  // to join
  bool dry_run_ = false;
};

}  // namespace tributary::segmenter
