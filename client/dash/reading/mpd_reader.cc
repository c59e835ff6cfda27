#include "dash/reading/mpd_reader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "dash/bounds.hh"
#include "dash/reading/period_times.hh"
#include "dash/reading/set_reader.hh"
#include "dash/reading/stated_segments.hh"
#include "dash/xml/remote_element.hh"
#include "dash/xml/xml_element.hh"
#include "units/printed_text.hh"

namespace tributary::dash {
namespace {

void check_size(std::string_view text) {
  if (text.size() > kMostText) throw MpdError{fmt::format("it has more than {} bytes", kMostText)};
  if (std::ranges::count(text, '<') > static_cast<std::ptrdiff_t>(kMostTags)) {
    throw MpdError{fmt::format("it has more than {} tags", kMostTags)};
  }
}

void parse(pugi::xml_document& document, std::string_view text, const XmlLines& lines) {
  const auto parsed = document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (parsed) return;
  const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
  throw MpdError{fmt::format("line {}, column {}: this is not XML: {}", lines.line_of(offset), lines.column_of(offset),
                             parsed.description())};
}

std::vector<std::string> read_urls(const XmlElement& mpd, std::string_view name) {
  std::vector<std::string> urls;
  mpd.each(name, [&](const XmlElement& element) { urls.push_back(element.content(kLongestUrl)); });
  return urls;
}

Period read_period(const XmlElement& element, const BaseUrls& outer, ReadSoFar& so_far) {
  Period period;
  period.place = element.place();
  period.id = element.text("id").value_or("");
  period.start = element.duration("start");
  period.duration = element.duration("duration");
  period.base_urls = read_base_urls(element);
  const StatedSegments segments = StatedSegments::read(element, {});
  const SetContext context{.segments = segments,
                           .availability_offset = availability_offset(outer) + availability_offset(period.base_urls),
                           .so_far = so_far};
  std::size_t sets = 0;
  element.each("AdaptationSet", [&](const XmlElement& each) {
    if (++sets > kMostSets) each.refuse(fmt::format("more than {} sets in one period", kMostSets));
    if (auto set = read_set(each, context)) period.sets.push_back(std::move(*set));
  });
  return period;
}

Mpd read_attributes(const XmlElement& element) {
  Mpd mpd;
  const std::string type = element.text("type").value_or("static");
  if (type != "static" && type != "dynamic") element.refuse(fmt::format("\"type\" is {}, not static or dynamic", type));
  mpd.dynamic = type == "dynamic";
  mpd.availability_start = element.date_time("availabilityStartTime");
  mpd.availability_end = element.date_time("availabilityEndTime");
  mpd.publish_time = element.date_time("publishTime");
  mpd.minimum_update_period = element.duration("minimumUpdatePeriod");
  mpd.time_shift_buffer_depth = element.duration("timeShiftBufferDepth");
  mpd.suggested_presentation_delay = element.duration("suggestedPresentationDelay");
  mpd.presentation_duration = element.duration("mediaPresentationDuration");
  mpd.min_buffer_time = element.duration("minBufferTime");
  return mpd;
}

/// Takes what stands between `begin` and the first `end` after it.
bool take(std::string_view& text, std::string_view begin, std::string_view end) {
  if (!text.starts_with(begin)) return false;
  const std::size_t found = text.find(end, begin.size());
  text = found == std::string_view::npos ? std::string_view{} : text.substr(found + end.size());
  return true;
}

}  // namespace

Mpd read_mpd(std::string_view text) {
  check_size(text);
  const XmlLines lines{text};
  pugi::xml_document document;
  parse(document, text, lines);
  const XmlElement root{document.document_element(), lines};
  if (local_name(document.document_element()) != "MPD") root.refuse("the root element is no MPD");

  Mpd mpd = read_attributes(root);
  mpd.locations = read_urls(root, "Location");
  mpd.patch_locations = read_urls(root, "PatchLocation");
  mpd.utc_timings = read_descriptors(root, "UTCTiming");
  mpd.base_urls = read_base_urls(root);
  ReadSoFar so_far;
  root.each("Period", [&](const XmlElement& each) {
    if (mpd.periods.size() == kMostPeriods) each.refuse(fmt::format("more than {} periods", kMostPeriods));
    if (is_here(each)) mpd.periods.push_back(read_period(each, mpd.base_urls, so_far));
  });
  if (mpd.periods.empty()) root.refuse("it has no Period");
  resolve_period_times(mpd);
  mpd.left_out = std::move(so_far.left_out);
  return mpd;
}

bool looks_like_mpd(std::string_view first_bytes) {
  constexpr std::string_view kBlanks = " \t\r\n", kByteOrderMark = "\xef\xbb\xbf";
  std::string_view rest = first_bytes;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  do {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  } while (take(rest, "<!--", "-->") || take(rest, "<?", "?>") || take(rest, "<!DOCTYPE", ">"));
  if (!rest.starts_with('<')) return false;
  const std::size_t end = rest.find_first_of(" \t\r\n/>", 1);
  if (end == std::string_view::npos) return false;
  const std::string_view name = rest.substr(1, end - 1);
  const std::size_t colon = name.find(':');
  return name.substr(colon == std::string_view::npos ? 0 : colon + 1) == "MPD";
}

}  // namespace tributary::dash
