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

/// The first of two passes: every encoder sees all pictures of its quality, and notes how hard they are, in files in
/// DIR/.first-pass that are removed with this object.
class FirstPass {
 public:
  /// Looks at the input, which is read again after that. Throws Failure, as encode() does.
  FirstPass(const std::string& input, const std::vector<Quality>& ladder, const VideoEncoding& encoding,
            const SegmentPlan& plan, const Publication& publication, const std::atomic<bool>& interrupted,
            ProgressReport& progress);

  /// The file with what was noted of a quality.
  std::string statistics(const std::string& quality) const { return (directory_.path / (quality + ".log")).string(); }

 private:
  /// Goes with what is in it.
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
