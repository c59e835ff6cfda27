#include "segmenter/encode/section_ranges.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "units/text/quantity_text.hh"

namespace tributary::segmenter {

std::uint64_t sections_of(std::uint64_t pictures, const SegmentPlan& plan) {
  const auto second = static_cast<std::uint64_t>(plan.frame_rate().per_second());
  const std::uint64_t margin = std::max(static_cast<std::uint64_t>(plan.pictures_per_segment()), second);
  const std::uint64_t sure = pictures > margin ? pictures - margin : 0;
  return std::max<std::uint64_t>(1, (sure + plan.pictures_per_section() - 1) / plan.pictures_per_section());
}

SectionRange shard_of(std::uint64_t sections, ShardNumber shard) {
  const std::uint64_t begin = sections * (shard.number - 1) / shard.of;
  if (shard.number == shard.of) return {begin, std::nullopt};
  return {begin, sections * shard.number / shard.of};
}

std::optional<std::string> empty_shard(std::uint64_t sections, ShardNumber shard, Duration section) {
  const SectionRange own = shard_of(sections, shard);
  if (!own.end || *own.end > own.begin) return std::nullopt;
  std::vector<std::string> full;
  for (std::uint64_t number = 1; number <= shard.of; ++number) {
    const SectionRange other = shard_of(sections, {number, shard.of});
    if (!other.end || *other.end > other.begin) full.push_back(fmt::format("{}/{}", number, shard.of));
  }
  return fmt::format(
      "shard {}/{} is empty: the film has {} section{} of {}, and {} {} {} (a shorter --section makes more)",
      shard.number, shard.of, sections, sections == 1 ? "" : "s", format_duration(section), fmt::join(full, ", "),
      full.size() == 1 ? "has" : "have", sections == 1 ? "it" : "them");
}

std::vector<SectionRange> missing_ranges(const SectionRange& range, std::uint64_t sections, const UnfinishedRun& run) {
  const std::uint64_t end = range.end.value_or(sections);
  std::vector<SectionRange> missing;
  for (std::uint64_t section = range.begin; section < end; ++section) {
    const bool is_last = !range.end && section + 1 == end;
    if (is_last ? run.pictures() && run.has_section(section) : run.has_section(section)) continue;
    if (!missing.empty() && missing.back().end == section) {
      missing.back().end = section + 1;
    } else {
      missing.push_back({section, section + 1});
    }
    if (is_last) missing.back().end.reset();
  }
  return missing;
}

std::vector<SectionRange> split(const std::vector<SectionRange>& ranges, std::uint64_t sections, std::size_t count) {
  std::uint64_t sum = 0;
  for (const SectionRange& range : ranges) sum += range.end.value_or(sections) - range.begin;
  const std::uint64_t each = std::max<std::uint64_t>(1, (sum + count - 1) / count);
  std::vector<SectionRange> pieces;
  for (const SectionRange& range : ranges) {
    const std::uint64_t end = range.end.value_or(sections);
    for (std::uint64_t begin = range.begin; begin < end; begin += each) {
      const bool is_last = begin + each >= end;
      pieces.push_back({begin, is_last ? range.end : std::optional{begin + each}});
    }
  }
  return pieces;
}

}  // namespace tributary::segmenter
