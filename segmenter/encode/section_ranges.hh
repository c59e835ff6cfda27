#pragma once

#include <optional>
#include <string>
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

/// The number of sections of a title of about `pictures` pictures. The number of pictures is uncertain by a segment or
/// a second, so the last section may be a little longer than the others.
std::uint64_t sections_of(std::uint64_t pictures, const SegmentPlan& plan);

/// The sections of one shard, which may be none. The last shard goes to the end of the title.
SectionRange shard_of(std::uint64_t sections, ShardNumber shard);

/// "shard 2/4 is empty: the film has 1 section of 60.0 s, and 4/4 has it"; nothing about a shard with sections.
std::optional<std::string> empty_shard(std::uint64_t sections, ShardNumber shard, Duration section);

/// The sections of a range that an earlier run has not made.
std::vector<SectionRange> missing_ranges(const SectionRange& range, std::uint64_t sections, const UnfinishedRun& run);

/// The same sections in about `count` ranges of similar length.
std::vector<SectionRange> split(const std::vector<SectionRange>& ranges, std::uint64_t sections, std::size_t count);

}  // namespace tributary::segmenter
