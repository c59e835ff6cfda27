#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "segmenter/encoders/video_encoding.hh"
#include "segmenter/plan/ladder.hh"
#include "segmenter/plan/segment_plan.hh"
#include "segmenter/progress.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {

/// The first of two passes: every encoder sees all pictures of its quality, and notes how hard they are. The notes are
/// files in DIR/.first-pass, which the destructor removes.
class FirstPass {
 public:
  /// Reads the whole input, which the second pass reads again. Throws Failure, as encode() does.
  FirstPass(const std::string& input, const std::vector<Quality>& ladder, const VideoEncoding& encoding,
            const SegmentPlan& plan, const Publication& publication, const std::atomic<bool>& interrupted,
            ProgressReport& progress);

  /// The file with the notes about a quality.
  std::string statistics(const std::string& quality) const { return (directory_.path / (quality + ".log")).string(); }

 private:
  /// A directory that is removed with its content.
  struct Directory {
    explicit Directory(std::filesystem::path path);
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
    ~Directory();

    std::filesystem::path path;
  };

  Directory directory_;
};

}  // namespace tributary::segmenter
