#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dash/uri_template.hh"
#include "units/byte_range.hh"

namespace tributary::dash {

/// The end of a range that goes to the end of the file ("500-").
constexpr DataSize kEndOfFile{std::numeric_limits<std::int64_t>::max()};

/// A file, or bytes of it. An empty URI means the innermost BaseURL itself.
struct FilePart {
  std::string uri;
  std::optional<ByteRange> range;  // nothing: the whole file

  bool operator==(const FilePart&) const = default;
};

/// Segments of equal length, one after the other, as an S element states them.
struct TimelineRun {
  std::int64_t start = 0, duration = 1;  // ticks
  std::optional<std::int64_t> count;     // nothing: as many as the period has room for; only of the last run
  std::int64_t parts = 1;                // of each segment, which have files of their own if the template names parts

  bool operator==(const TimelineRun&) const = default;
};

/// A SegmentTimeline (clause 5.3.9.6). Runs ascend and do not overlap; between two of them may be a hole.
using Timeline = std::vector<TimelineRun>;

/// The times and numbers of segments. Either `duration` or `timeline` is there, or there is one segment only.
/// Timelines, lists and templates are shared between representations that inherit them.
struct SegmentTimes {
  std::uint32_t timescale = 1;                // ticks per second
  std::int64_t presentation_time_offset = 0;  // the tick at which the period begins
  std::int64_t start_number = 1;
  std::optional<std::int64_t> end_number;
  std::optional<std::int64_t> duration;  // ticks
  std::int64_t parts = 1;                // of each segment of that duration
  std::shared_ptr<const Timeline> timeline;
};

/// SegmentTemplate (clause 5.3.9.4).
struct TemplateAddressing {
  SegmentTimes times;
  std::shared_ptr<const UriTemplate> media;
  std::shared_ptr<const UriTemplate> init;  // null: see init_part
  std::optional<FilePart> init_part;
};

/// SegmentList (clause 5.3.9.3).
struct ListAddressing {
  SegmentTimes times;
  std::shared_ptr<const std::vector<FilePart>> media;
  std::optional<FilePart> init;
};

/// SegmentBase with an index (clause 5.3.9.2): a `sidx` box lists the segments, and must be fetched first.
struct IndexedAddressing {
  std::uint32_t timescale = 1;  // of the offset; the index has a timescale of its own
  std::int64_t presentation_time_offset = 0;
  FilePart index;
  std::optional<FilePart> init;
};

/// One file, which is one segment: a text, or media without an index.
struct WholeFile {
  std::optional<FilePart> init;
};

using Addressing = std::variant<WholeFile, IndexedAddressing, ListAddressing, TemplateAddressing>;

}  // namespace tributary::dash
