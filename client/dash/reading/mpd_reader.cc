#include "dash/reading/mpd_reader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <utility>

#include "dash/bounds.hh"
#include "dash/reading/period_times.hh"
#include "dash/reading/set_reader.hh"
#include "dash/reading/stated_segments.hh"
#include "dash/xml/remote_element.hh"
#include "dash/xml/xml_element.hh"
#include "units/text/printed_text.hh"
#include "units/text/utf16.hh"

namespace tributary::dash {
namespace {

void check_size(std::string_view text) {
  if (text.size() > kMostText) throw MpdError{fmt::format("it has more than {} bytes", kMostText)};
  if (std::ranges::count(text, '<') > static_cast<std::ptrdiff_t>(kMostTags)) {
    throw MpdError{fmt::format("it has more than {} tags", kMostTags)};
  }
}

pugi::xml_parse_result parse(pugi::xml_document& document, std::string_view text) {
  return document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
}

/// How far a text goes that no tag begins in: a comment, CDATA, an instruction, or nothing of these.
std::size_t end_without_tags(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kBetween{
      {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}}};
  for (const auto& [begin, end] : kBetween) {
    if (!text.starts_with(begin)) continue;
    const std::size_t found = text.find(end, begin.size());
    return found == std::string_view::npos ? text.size() : found + end.size();
  }
  return 0;
}

/// With a blank between attributes where a packager wrote none. Lines stay as they are.
std::string separated(std::string_view text) {
  std::string result;
  bool in_tag = false;
  while (!text.empty()) {
    std::size_t taken = in_tag ? 0 : end_without_tags(text);
    bool after_value = false;
    if (taken == 0) {
      taken = 1;
      const char c = text.front();
      if (c == '<' || c == '>') in_tag = c == '<';
      if (in_tag && (c == '"' || c == '\'')) {
        const std::size_t end = text.find(c, 1);
        taken = end == std::string_view::npos ? text.size() : end + 1;
        after_value = true;
      }
    }
    result += text.substr(0, taken);
    text.remove_prefix(taken);
    constexpr std::string_view kNoName = " \t\r\n/>?<\"'";
    if (after_value && !text.empty() && kNoName.find(text.front()) == std::string_view::npos) result += ' ';
  }
  return result;
}

/// Parses the text, or the text with its attributes separated. Gives the lines of that text.
XmlLines parse_leniently(pugi::xml_document& document, std::string_view text) {
  const auto parsed = parse(document, text);
  XmlLines lines{text};
  if (parsed) return lines;
  const std::string lenient = separated(text);
  if (lenient.size() > text.size() && parse(document, lenient)) return XmlLines{lenient};
  const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
  throw MpdError{fmt::format("line {}, column {}: this is not XML: {}", lines.line_of(offset), lines.column_of(offset),
                             parsed.description())};
}

std::vector<std::string> read_urls(const XmlElement& mpd, std::string_view name) {
  std::vector<std::string> urls;
  mpd.each(name, [&](const XmlElement& element) { urls.push_back(element.content(kLongestUrl)); });
  return urls;
}

/// The first, of whichever language.
std::string read_title(const XmlElement& mpd) {
  const auto information = mpd.child("ProgramInformation");
  const auto title = information ? information->child("Title") : std::nullopt;
  return title ? title->content(kMostText) : std::string{};
}

Period read_period(const XmlElement& element, const BaseUrls& outer, bool by_parts, ReadSoFar& so_far) {
  Period period;
  period.place = element.place();
  period.id = element.text("id").value_or("");
  period.start = element.duration("start");
  period.duration = element.duration("duration");
  period.base_urls = read_base_urls(element);
  const StatedSegments segments = StatedSegments::read(element, {});
  const SetContext context{.segments = segments,
                           .availability_offset = availability_offset(outer) + availability_offset(period.base_urls),
                           .by_parts = by_parts,
                           .so_far = so_far};
  period.sets = read_sets(element, context);
  return period;
}

/// The first that is stated, for whichever clients.
std::optional<Duration> read_target_latency(const XmlElement& mpd) {
  std::optional<Duration> target;
  mpd.each("ServiceDescription", [&](const XmlElement& service) {
    const auto latency = service.child("Latency");
    if (!latency || target) return;
    if (const auto ms = hint([&] { return latency->whole("target", 1, kLongestLatency.count()); }))
      target = std::chrono::milliseconds{*ms};
  });
  return target;
}

Mpd read_attributes(const XmlElement& element) {
  Mpd mpd;
  mpd.dynamic = element.text("type") == "dynamic";
  const auto date = [&](const char* name) { return hint([&] { return element.date_time(name); }); };
  const auto duration = [&](const char* name) { return hint([&] { return element.duration(name); }); };
  mpd.availability_start = mpd.dynamic ? element.date_time("availabilityStartTime") : date("availabilityStartTime");
  mpd.availability_end = date("availabilityEndTime");
  mpd.publish_time = date("publishTime");
  mpd.minimum_update_period = duration("minimumUpdatePeriod");
  mpd.time_shift_buffer_depth = duration("timeShiftBufferDepth");
  mpd.suggested_presentation_delay = duration("suggestedPresentationDelay");
  mpd.presentation_duration = duration("mediaPresentationDuration");
  mpd.min_buffer_time = duration("minBufferTime");
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

Mpd read_mpd(std::string_view text, bool by_parts) {
  check_size(text);
  if (const auto utf8 = from_utf16(text)) return read_mpd(*utf8, by_parts);
  pugi::xml_document document;
  const XmlLines lines = parse_leniently(document, text);
  const XmlElement root{document.document_element(), lines};
  if (local_name(document.document_element()) != "MPD") root.refuse("the root element is no MPD");

  Mpd mpd = read_attributes(root);
  mpd.title = read_title(root);
  mpd.locations = read_urls(root, "Location");
  mpd.patch_locations = read_urls(root, "PatchLocation");
  mpd.utc_timings = read_descriptors(root, "UTCTiming");
  mpd.target_latency = read_target_latency(root);
  mpd.base_urls = read_base_urls(root);
  ReadSoFar so_far;
  root.each("Period", [&](const XmlElement& each) {
    if (mpd.periods.size() == kMostPeriods) each.refuse(fmt::format("more than {} periods", kMostPeriods));
    if (is_here(each)) mpd.periods.push_back(read_period(each, mpd.base_urls, by_parts, so_far));
  });
  if (mpd.periods.empty()) root.refuse("it has no Period");
  resolve_period_times(mpd);
  mpd.left_out = std::move(so_far.left_out);
  return mpd;
}

bool looks_like_mpd(std::string_view first_bytes) {
  if (const auto utf8 = from_utf16(first_bytes)) return looks_like_mpd(*utf8);
  constexpr std::string_view kSpace = " \t\r\n", kByteOrderMark = "\xef\xbb\xbf";
  std::string_view rest = first_bytes;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  do {
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
  } while (take(rest, "<!--", "-->") || take(rest, "<?", "?>") || take(rest, "<!DOCTYPE", ">"));
  if (!rest.starts_with('<')) return false;
  const std::size_t end = rest.find_first_of(" \t\r\n/>", 1);
  if (end == std::string_view::npos) return false;
  const std::string_view name = rest.substr(1, end - 1);
  const std::size_t colon = name.find(':');
  return name.substr(colon == std::string_view::npos ? 0 : colon + 1) == "MPD";
}

}  // namespace tributary::dash
