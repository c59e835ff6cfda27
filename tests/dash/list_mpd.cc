// Reads MPDs, and prints a line for each period, set and representation: its addressing and its segments.
//   list_mpd [--json] [--at TIME] FILE...
// TIME: of the origin's clock, RFC 3339 in UTC; else, when an MPD was published.
// --json: a line of JSON for each MPD, with all segments that are there, as tests/manifests/listing.py takes it.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dash/reading/media_kind.hh"
#include "dash/reading/mpd_reader.hh"
#include "dash/segments/segment_list.hh"
#include "dash/unplayable.hh"
#include "units/text/printed_text.hh"

using namespace tributary;

namespace {

std::string text_of(const Duration& time) { return fmt::format("{:.3f} s", to_seconds(time)); }

/// All that the MPD lists, and else those that are there.
dash::Segments segments_of(const dash::Mpd& mpd, const dash::Period& period, const dash::Representation& one,
                           UtcTime now) {
  try {
    return dash::all_segments(period, one);
  } catch (const dash::MpdError&) {  // nothing says how many there will be
    return dash::available_segments(mpd, period, one, now).segments;
  }
}

std::string listed(const dash::Mpd& mpd, const dash::Period& period, const dash::Representation& one, UtcTime now) {
  if (const auto* const indexed = std::get_if<dash::IndexedAddressing>(&one.addressing)) {
    const auto& range = indexed->index.range;
    return range ? fmt::format("an index at bytes {} to {}", range->begin.bytes(), range->end.bytes() - 1)
                 : fmt::format("an index in {}", indexed->index.uri);
  }
  const dash::Segments segments = segments_of(mpd, period, one, now);
  std::string text = fmt::format("{} segments", segments.list.size());
  if (!segments.list.empty()) {
    const dash::Segment &first = segments.list.front(), &last = segments.list.back();
    text += fmt::format(", \"{}\" at {} to \"{}\" until {}", first.uri, text_of(segments.time_in_period(first.start)),
                        last.uri, text_of(segments.time_in_period(last.start + last.duration)));
  }
  if (!mpd.dynamic) return text;
  const auto [there, next] = dash::available_segments(mpd, period, one, now);
  text += fmt::format("; {} are there", there.list.size());
  if (next) text += fmt::format(", the next one at {}", utc_text(*next));
  return text;
}

void list(const dash::Mpd& mpd, std::optional<UtcTime> at) {
  const UtcTime now = at ? *at : mpd.publish_time.value_or(UtcTime{});
  for (const dash::Period& period : mpd.periods) {
    print_text(stdout, "  period \"{}\" from {} for {}\n", period.id, period.start ? text_of(*period.start) : "?",
               period.duration ? text_of(*period.duration) : "?");
    if (const auto why = dash::why_unplayable(period)) print_text(stdout, "    not played: {}\n", *why);
    for (const dash::AdaptationSet& set : period.sets) {
      for (const dash::Representation& one : set.representations) {
        print_text(stdout, "    {} {} \"{}\" {} bit/s: {}\n", dash::to_string(set.kind), set.lang, one.id,
                   one.bandwidth, listed(mpd, period, one, now));
      }
    }
  }
  for (const std::string& what : mpd.left_out) print_text(stdout, "  left out: {}\n", what);
}

nlohmann::json json_of(const std::optional<ByteRange>& range) {
  if (!range) return nullptr;
  nlohmann::json json{range->begin.bytes(), range->end.bytes()};
  if (range->end == dash::kEndOfFile) json.back() = nullptr;
  return json;
}

nlohmann::json json_of(const std::optional<dash::FilePart>& part) {
  if (!part) return nullptr;
  return {{"uri", part->uri}, {"range", json_of(part->range)}};
}

nlohmann::json json_of(const dash::BaseUrls& urls) {
  auto json = nlohmann::json::array();
  for (const dash::BaseUrl& url : urls) json.push_back(url.url);
  return json;
}

/// Times in seconds since the start of the period.
nlohmann::json json_of(const dash::Mpd& mpd, const dash::Period& period, const dash::Representation& one, UtcTime now) {
  nlohmann::json json{{"id", one.id},
                      {"bandwidth", one.bandwidth},
                      {"codecs", one.codecs},
                      {"bases", json_of(one.base_urls)},
                      {"query_of_mpd", std::ranges::any_of(one.url_queries, &dash::UrlQuery::of_mpd)},
                      {"availability_offset", to_seconds(one.availability_offset)},
                      {"encrypted", dash::protection_of(one).value_or("")}};
  if (const auto* const indexed = std::get_if<dash::IndexedAddressing>(&one.addressing)) {
    json["index"] = json_of(std::optional{indexed->index});
    json["init"] = json_of(indexed->init);
    return json;
  }
  const auto [segments, next] = dash::available_segments(mpd, period, one, now);
  json["init"] = json_of(segments.init);
  json["offset"] = static_cast<double>(segments.presentation_time_offset) / segments.timescale;
  json["next"] = next ? utc_text(*next) : "";
  json["segments"] = nlohmann::json::array();
  for (const dash::Segment& segment : segments.list) {
    const Duration start = segments.time_in_period(segment.start);
    const Duration end = segments.time_in_period(segment.start + segment.duration);
    json["segments"].push_back({{"uri", segment.uri},
                                {"range", json_of(segment.range)},
                                {"start", to_seconds(start)},
                                {"duration", to_seconds(end - start)},
                                {"number", segment.number}});
  }
  return json;
}

nlohmann::json json_of(const dash::Mpd& mpd, std::optional<UtcTime> at) {
  const UtcTime now = at ? *at : mpd.publish_time.value_or(UtcTime{});
  nlohmann::json json{{"dynamic", mpd.dynamic}, {"bases", json_of(mpd.base_urls)}, {"left_out", mpd.left_out}};
  for (const dash::Period& period : mpd.periods) {
    nlohmann::json sets = nlohmann::json::array();
    for (const dash::AdaptationSet& set : period.sets) {
      auto representations = nlohmann::json::array();
      for (const dash::Representation& one : set.representations) {
        representations.push_back(json_of(mpd, period, one, now));
      }
      sets.push_back({{"kind", dash::to_string(set.kind)},
                      {"lang", set.lang},
                      {"bases", json_of(set.base_urls)},
                      {"representations", std::move(representations)}});
    }
    const auto seconds = [](const auto& time) { return time ? nlohmann::json(to_seconds(*time)) : nullptr; };
    json["periods"].push_back({{"id", period.id},
                               {"start", seconds(period.start)},
                               {"duration", seconds(period.duration)},
                               {"bases", json_of(period.base_urls)},
                               {"unplayable", dash::why_unplayable(period).value_or("")},
                               {"sets", std::move(sets)}});
  }
  return json;
}

std::string one_line(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// Whether it was read.
bool list_file(const std::string& name, std::optional<UtcTime> now, bool as_json) {
  std::ifstream file{name, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
  try {
    if (!file) throw dash::MpdError{"cannot be read"};
    const dash::Mpd mpd = dash::read_mpd(text);
    if (as_json) {
      std::fputs(one_line(json_of(mpd, now)).c_str(), stdout);
      return true;
    }
    print_text(stdout, "{}: {}, {} periods{}\n", name, mpd.dynamic ? "dynamic" : "static", mpd.periods.size(),
               dash::looks_like_mpd(std::string_view{text}.substr(0, 4096)) ? "" : ", does not look like an MPD");
    list(mpd, now);
    return true;
  } catch (const dash::MpdError& error) {
    if (as_json) {
      std::fputs(one_line({{"refused", error.what()}}).c_str(), stdout);
    } else {
      print_text(stdout, "{}: refused: {}\n", name, error.what());
    }
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names{argv + 1, argv + argc};
  const bool as_json = std::erase(names, "--json") > 0;
  std::optional<UtcTime> now;
  if (names.size() > 1 && names[0] == "--at") {
    now = utc_from(names[1]);
    if (!now) return 2;
    names.erase(names.begin(), names.begin() + 2);
  }
  bool all = !names.empty();
  for (const std::string& name : names) all = list_file(name, now, as_json) && all;
  return all ? 0 : 1;
}
