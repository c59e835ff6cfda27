#pragma once

#include <mutex>
#include <vector>

#include "segmenter/encode/encode_progress.hh"
#include "segmenter/encode/unfinished_run.hh"
#include "segmenter/publish/track_writer.hh"

namespace tributary::segmenter {

/// Enters each section in the books as soon as all its qualities are there.
class SectionBook : public SegmentListener {
 public:
  SectionBook(UnfinishedRun& run, const Publication& publication, const SegmentPlan& plan, std::uint64_t first_section,
              EncodeProgress& progress)
      : run_{run}, publication_{publication}, plan_{plan}, next_section_{first_section}, progress_{progress} {}

  /// To be called before the first segment, with the qualities without segments.
  void set_tracks(std::vector<Track> tracks);
  void segment_written(const WrittenSegment& segment) override;
  void segments_measured(const std::string& track, const PictureMetrics& metrics) override;
  /// No segment follows: the segments that are left become the last section of the title, shorter than the others.
  void end();

 private:
  struct Pending {
    std::vector<DataSize> sizes;
    std::vector<std::uint64_t> durations;
    PictureMetrics metrics;
  };

  void enter(std::size_t segments);

  UnfinishedRun& run_;
  const Publication& publication_;
  SegmentPlan plan_;
  std::uint64_t next_section_;
  EncodeProgress& progress_;
  std::mutex mutex_;
  std::vector<Track> tracks_;
  std::vector<Pending> pending_;  // of each track, from the next section on
};

}  // namespace tributary::segmenter
