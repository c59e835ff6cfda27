#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "dash/addressing.hh"
#include "dash/xml/xml_element.hh"

namespace tributary::dash {

/// One SegmentBase, SegmentList or SegmentTemplate as it is written, or several of one kind after inheritance.
/// What is long is shared.
struct StatedAddressing {
  std::optional<std::uint32_t> timescale;
  std::optional<std::int64_t> presentation_time_offset, start_number, end_number, duration, parts;
  std::optional<Duration> availability_offset;
  std::optional<bool> availability_complete;
  std::shared_ptr<const Timeline> timeline;
  std::shared_ptr<const UriTemplate> media, init_template;
  std::shared_ptr<const std::vector<FilePart>> list;
  std::shared_ptr<const FilePart> init, index;
};

/// How the segments of a level are addressed, outer levels included (ISO/IEC 23009-1 clause 5.3.9.1): an attribute
/// or element of an inner level stands in place of the same one of an outer level.
class StatedSegments {
 public:
  /// What Period, AdaptationSet or Representation states below `outer`. Throws MpdError.
  static StatedSegments read(const XmlElement& level, const StatedSegments& outer);

  Duration availability_offset() const;
  bool availability_complete() const;
  /// Memory that an addressing made of this takes, beyond what is shared.
  std::size_t bytes() const;
  /// Throws MpdError, with the place of the representation, if parts are missing.
  Addressing addressing(const XmlElement& representation) const;

 private:
  enum Kind { kTemplate, kList, kBase, kKinds };

  const StatedAddressing& in_use() const { return *stated_.at(static_cast<std::size_t>(*kind_)); }

  std::optional<Kind> kind_;  // of the innermost level that states any
  std::array<std::optional<StatedAddressing>, kKinds> stated_;
};

}  // namespace tributary::dash
