#pragma once

#include <vector>

#include "segmenter/encode/unfinished_run.hh"
#include "segmenter/plan/segment_plan.hh"

namespace tributary::segmenter {

/// Neighbouring sections that are encoded one after the other.
struct SectionRange {
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end{};  // nothing: to the end of the title, and with its sound
  bool operator==(const SectionRange&) const = default;
};

/// How many sections a title of about so many pictures has. The last may be longer than a section: what is less than a
/// segment or a second may prove not to be there.
std::uint64_t sections_of(std::uint64_t pictures, const SegmentPlan& plan);

/// The sections of one part; the last goes to the end. There may be none.
SectionRange part_of(std::uint64_t sections, PartNumber part);

/// What of a range an earlier run has not made.
std::vector<SectionRange> missing_ranges(const SectionRange& range, std::uint64_t sections, const UnfinishedRun& run);

/// The same sections in about so many ranges of similar length.
std::vector<SectionRange> split(const std::vector<SectionRange>& ranges, std::uint64_t sections, std::size_t count);

}  // namespace tributary::segmenter
