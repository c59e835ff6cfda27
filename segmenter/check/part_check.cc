#include "segmenter/check/part_check.hh"

#include "media/cmaf_reader.hh"
#include "segmenter/publish/file_bytes.hh"

namespace tributary::segmenter {
namespace {

std::optional<InitFacts> init_of(const std::filesystem::path& directory, const Track& track) {
  const auto content = track.init ? read_resource(directory, *track.init) : std::nullopt;
  try {
    return content ? std::optional{read_init(bytes_of(*content))} : std::nullopt;
  } catch (const BoxError&) {
    return std::nullopt;  // a finding of the media
  }
}

void check_samples(const std::string& place, const LivePart& part, const std::string& content, const InitFacts& init,
                   Findings& findings) {
  try {
    const SegmentFacts facts = read_segment(bytes_of(content), init);
    findings.compare(place, "the number of its chunks", facts.fragments, std::size_t{1});
    if (facts.ticks() != part.ticks)
      findings.add(place, "its samples last {} ticks, but the index says {}", facts.ticks(), part.ticks);
    if (facts.samples.front().sync != part.independent)
      findings.add(place, "begins {} a sync sample, other than the index says", part.independent ? "without" : "with");
  } catch (const BoxError& error) {
    findings.add(place, "{}", error.what());
  }
}

}  // namespace

void check_parts(const std::filesystem::path& directory, const Track& index, Findings& findings) {
  if (!index.parts) return;
  const auto init = init_of(directory, index);
  for (const SegmentParts& segment : index.parts->segments) {
    std::string whole;
    for (std::size_t i = 0; i < segment.parts.size(); ++i) {
      const std::string place = index.parts->part_uri(segment.segment, i);
      const auto content = read_file(directory / place);
      if (!content) {
        findings.add(place, "cannot be read");
        continue;
      }
      if (std::ssize(*content) != segment.parts[i].size.bytes())
        findings.add(place, "{} bytes, but the index says {}", content->size(), segment.parts[i].size.bytes());
      if (init) check_samples(place, segment.parts[i], *content, *init, findings);
      whole += *content;
    }
    if (segment.segment == index.first_number + index.sizes.size()) continue;  // unfinished
    const std::string place = index.segment_uri(segment.segment);
    if (read_file(directory / place) != whole) findings.add(place, "is not its parts, one after the other");
  }
}

}  // namespace tributary::segmenter
