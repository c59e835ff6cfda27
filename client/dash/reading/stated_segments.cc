#include "dash/reading/stated_segments.hh"

#include <fmt/format.h>

#include <stdexcept>

#include "dash/bounds.hh"
#include "dash/reading/timeline_reader.hh"
#include "dash/xml/remote_element.hh"

namespace tributary::dash {
namespace {

template <typename T>
void inherit(T& inner, const T& outer) {
  if (!inner) inner = outer;
}

void inherit_all(StatedAddressing& inner, const StatedAddressing& outer) {
  inherit(inner.timescale, outer.timescale);
  inherit(inner.presentation_time_offset, outer.presentation_time_offset);
  inherit(inner.start_number, outer.start_number);
  inherit(inner.end_number, outer.end_number);
  inherit(inner.parts, outer.parts);
  inherit(inner.availability_offset, outer.availability_offset);
  inherit(inner.availability_complete, outer.availability_complete);
  if (!inner.duration && !inner.timeline) {  // one of them takes the place of the other, too
    inner.duration = outer.duration;
    inner.timeline = outer.timeline;
  }
  inherit(inner.media, outer.media);
  if (!inner.init_template && !inner.init) {
    inner.init_template = outer.init_template;
    inner.init = outer.init;
  }
  inherit(inner.list, outer.list);
  inherit(inner.index, outer.index);
}

/// An element with `sourceURL` and `range`, as Initialization and RepresentationIndex.
std::shared_ptr<const FilePart> read_part(const XmlElement& element, const char* name) {
  const auto part = element.child(name);
  if (!part) return nullptr;
  return std::make_shared<FilePart>(FilePart{part->text("sourceURL", kLongestUrl).value_or(""), part->bytes("range")});
}

std::shared_ptr<const UriTemplate> read_template(const XmlElement& element, const char* attribute) {
  const auto text = element.text(attribute, kLongestUrl);
  if (!text) return nullptr;
  try {
    return std::make_shared<UriTemplate>(*text);
  } catch (const std::invalid_argument& error) {
    element.refuse(fmt::format("\"{}\" {}", attribute, error.what()));
  }
}

std::shared_ptr<const std::vector<FilePart>> read_list(const XmlElement& element) {
  std::vector<FilePart> list;
  element.each("SegmentURL", [&](const XmlElement& url) {
    if (std::ssize(list) == kMostSegments) url.refuse(fmt::format("more than {} segments", kMostSegments));
    list.push_back({url.text("media", kLongestUrl).value_or(""), url.bytes("mediaRange")});
  });
  return list.empty() ? nullptr : std::make_shared<const std::vector<FilePart>>(std::move(list));
}

StatedAddressing read_stated(const XmlElement& element) {
  StatedAddressing stated;
  if (const auto timescale = element.whole("timescale", 1, kMostTimescale)) {
    stated.timescale = static_cast<std::uint32_t>(*timescale);
  }
  stated.presentation_time_offset = element.whole("presentationTimeOffset", 0, kMostTicks);
  stated.start_number = element.whole("startNumber", 0, kMostNumber);
  stated.end_number = element.whole("endNumber", 0, kMostNumber);
  stated.parts = element.whole("k", 1, kMostSegments);
  stated.availability_offset = hint([&] { return element.seconds("availabilityTimeOffset"); });
  stated.availability_complete = hint([&] { return element.truth("availabilityTimeComplete"); });
  if (const auto timeline = element.child("SegmentTimeline")) {
    stated.timeline = std::make_shared<Timeline>(read_timeline(*timeline));
  } else {
    stated.duration = element.whole("duration", 1, kMostLength);
  }
  stated.media = read_template(element, "media");
  stated.init_template = read_template(element, "initialization");
  if (stated.init_template && (stated.init_template->names_segments() || stated.init_template->names_parts())) {
    element.refuse("\"initialization\" has a $Number$, $Time$ or $SubNumber$");
  }
  stated.list = read_list(element);
  stated.init = read_part(element, "Initialization");
  stated.index = read_part(element, "RepresentationIndex");
  if (const auto range = element.bytes("indexRange")) {
    stated.index = std::make_shared<FilePart>(FilePart{stated.index ? stated.index->uri : "", range});
  }
  return stated;
}

SegmentTimes times_of(const StatedAddressing& stated) {
  return {.timescale = stated.timescale.value_or(1),
          .presentation_time_offset = stated.presentation_time_offset.value_or(0),
          .start_number = stated.start_number.value_or(1),
          .end_number = stated.end_number,
          .duration = stated.timeline ? std::nullopt : stated.duration,
          .parts = stated.parts.value_or(1),
          .timeline = stated.timeline};
}

std::optional<FilePart> value_of(const std::shared_ptr<const FilePart>& part) {
  return part ? std::optional{*part} : std::nullopt;
}

}  // namespace

StatedSegments StatedSegments::read(const XmlElement& level, const StatedSegments& outer) {
  constexpr std::array<const char*, kKinds> kNames{"SegmentTemplate", "SegmentList", "SegmentBase"};
  StatedSegments result = outer;
  bool found = false;
  for (const Kind kind : {kTemplate, kList, kBase}) {
    const auto index = static_cast<std::size_t>(kind);
    const auto element = level.child(kNames.at(index));
    if (!element || !is_here(*element)) continue;
    StatedAddressing stated = read_stated(*element);
    if (outer.stated_.at(index)) inherit_all(stated, *outer.stated_.at(index));
    if (stated.media && !stated.media->names_segments() && (stated.duration || stated.timeline)) {
      element->refuse("\"media\" has no $Number$ or $Time$");
    }
    result.stated_.at(index) = std::move(stated);
    if (!found) result.kind_ = kind;
    found = true;
  }
  return result;
}

Duration StatedSegments::availability_offset() const {
  return kind_ ? in_use().availability_offset.value_or(Duration{}) : Duration{};
}

bool StatedSegments::availability_complete() const { return !kind_ || in_use().availability_complete.value_or(true); }

std::size_t StatedSegments::bytes() const {
  if (!kind_) return 0;
  return (in_use().init ? in_use().init->uri.size() : 0) + (in_use().index ? in_use().index->uri.size() : 0);
}

Addressing StatedSegments::addressing(const XmlElement& representation) const {
  if (!kind_) return WholeFile{};
  const StatedAddressing& stated = in_use();
  if (*kind_ == kBase) {
    if (!stated.index) return WholeFile{value_of(stated.init)};
    return IndexedAddressing{stated.timescale.value_or(1), stated.presentation_time_offset.value_or(0), *stated.index,
                             value_of(stated.init)};
  }
  if (*kind_ == kTemplate) {
    if (!stated.media) representation.refuse("its SegmentTemplate has no \"media\"");
    return TemplateAddressing{times_of(stated), stated.media, stated.init_template, value_of(stated.init)};
  }
  if (!stated.list) representation.refuse("its SegmentList has no SegmentURL");
  if (stated.list->size() > 1 && !stated.duration && !stated.timeline) {
    representation.refuse("its SegmentList has neither \"duration\" nor SegmentTimeline");
  }
  return ListAddressing{times_of(stated), stated.list, value_of(stated.init)};
}

}  // namespace tributary::dash
