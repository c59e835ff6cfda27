#include "report/miss_explanation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <span>

#include "report/miss_remedy.hh"
#include "units/overloaded.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

template <typename T>
std::string seconds(T time) {
  return fmt::format("{:.3f} s", to_seconds(time));
}

std::string kilobits(DataRate rate) { return fmt::format("{:.0f} kbit/s", rate.kilobits_per_second()); }

/// "sound, ", "picture, init of low, ", or nothing if a segment is one part.
std::string part_name(const SegmentTable& table, const SegmentRecord& segment, std::uint32_t part) {
  const bool init = part < segment.init_parts;
  const std::vector<SegmentPart> media = table.parts(segment.segment, segment.quality);
  if (!init && media.size() == 1) return "";
  const std::vector<SegmentPart> parts = init ? table.init_parts(segment.segment, segment.quality) : media;
  const std::size_t place = init ? part : part - segment.init_parts;
  if (place >= parts.size()) return "";
  const Track& track = table.presentation().tracks[parts[place].track];
  return fmt::format("{}{}, ", init ? "init of " : "", track.kind == TrackKind::kAudio ? "sound" : "picture");
}

std::string asked(const RequestRecord& r) {
  std::string text = fmt::format("asked for at {}", seconds(r.sent));
  if (r.behind > DataSize{}) text += fmt::format(" behind {}", format_size(r.behind));
  if (!r.estimate || *r.estimate <= DataRate{}) return text + ", not estimated yet";
  return text + fmt::format(", estimated at {} and so expected at {}", kilobits(*r.estimate),
                            seconds(r.sent + (r.behind + r.range.size()) / *r.estimate));
}

/// Counts the rate over the bytes of the estimate: those that the link already owed, and the range.
std::string arrived(const RequestRecord& r) {
  const Duration time = *r.last_byte - r.sent;
  const std::string rate =
      time > Duration{} ? fmt::format(", at {}", kilobits((r.behind + r.range.size()) / time)) : "";
  return fmt::format("came at {}{}", seconds(*r.last_byte), rate);
}

/// The bytes that the segment waited for: the link that was asked, its estimate, and the arrival.
std::string story(const SessionRecord& record, const SegmentRecord& segment, std::span<const RangeHistory> late) {
  const auto name_of = [&](const RequestRecord& r) { return record.links().at(r.link).name; };
  const RequestRecord& first = late.back().first();
  const RequestRecord& last = late.back().last();
  std::string text = fmt::format("{}bytes {}-{}", part_name(record.table(), segment, first.part),
                                 first.range.begin.bytes(), first.range.end.bytes() - 1);
  if (late.size() > 1) text += fmt::format(" (the last of {} late ranges)", late.size());
  text += fmt::format(" on {}, {}", name_of(first), asked(first));
  const RequestRecord* before = first.takes_over ? record.find_request(*first.takes_over) : nullptr;
  if (before != nullptr) text += fmt::format(" because {} owed it and was late", name_of(*before));
  if (&first == &last) return text + ", " + arrived(first);
  text += fmt::format(", failed at {} ({}) with {} of {} here", seconds(*first.ended), first.status,
                      format_size(first.received), format_size(first.range.size()));
  const std::size_t between = late.back().tries.size() - 2;
  if (between > 0) text += fmt::format(", and {} more {} after it", between, between == 1 ? "time" : "times");
  return text + fmt::format("; bytes {}-{} again on {}, {}, {}", last.range.begin.bytes(), last.range.end.bytes() - 1,
                            name_of(last), asked(last), arrived(last));
}

/// "; lte was down from 10.000 s to 12.000 s", for each link that was down while the segment was on its way.
std::string outages(const SessionRecord& record, const SegmentRecord& segment) {
  std::string text;
  for (const auto& [id, link] : record.links()) {
    std::optional<TimePoint> down;
    for (const LinkRecord::Change& change : link.changes) {
      if (!change.up && change.at > *segment.complete) break;
      if (down && change.up && change.at > *segment.requested)
        text += fmt::format("; {} was down from {} to {}", link.name, seconds(*down), seconds(change.at));
      down = change.up ? std::nullopt : std::optional{change.at};
    }
    if (down) text += fmt::format("; {} was down from {} on", link.name, seconds(*down));
  }
  return text;
}

struct Words {
  std::string_view avoided_by;
  std::string text;
};

Words words_for(const Remedy& remedy, const SessionRecord& record, const SessionOptions& options,
                const SegmentRecord& segment, std::size_t late_ranges) {
  const SegmentTable& table = record.table();
  const auto in_time = [&](TimePoint arrival) {
    return fmt::format("have been here at {}, in time by {}", seconds(arrival), seconds(*segment.due - arrival));
  };
  return std::visit(
      Overloaded{
          [&](const remedy::OtherLink& r) {
            return Words{"link",
                         fmt::format("on {}, at the {} that it had, {} would {}", record.links().at(r.link).name,
                                     kilobits(r.rate), late_ranges == 1 ? "they" : "all of them", in_time(r.arrival))};
          },
          [&](const remedy::LowerQuality& r) {
            return Words{"quality", fmt::format("in {}, {} instead of {}, it would {}", table.quality_name(r.quality),
                                                format_size(r.size), format_size(segment.size), in_time(r.arrival))};
          },
          [](const remedy::MoreBuffer& r) {
            return Words{"buffer",
                         fmt::format("with {} more {} of buffer, for which the start-up takes {} longer, it would "
                                     "have been in time by {}",
                                     r.segments, r.segments == 1 ? "segment" : "segments", seconds(r.longer_startup),
                                     seconds(r.in_time_by))};
          },
          [&](const remedy::None& r) {
            const bool buffered = may_have_more_buffer(options);
            const std::string but = buffered ? fmt::format(", nor {} more segments of buffer", kMostMoreBuffer) : "";
            const std::string_view lowest = table.quality_name(QualityIndex{0});
            if (r.carried < r.needed) {
              return Words{"nothing",
                           fmt::format("no choice avoids it{}: until it was due, the links carried {} of the {} "
                                       "that even {} needs",
                                       but, format_size(r.carried), format_size(r.needed), lowest)};
            }
            return Words{"nothing",
                         fmt::format("no other link or quality alone avoids it{}: until it was due, the links "
                                     "carried {} of it and of later segments, and {} needs {}",
                                     but, format_size(r.carried), lowest, format_size(r.needed))};
          },
      },
      remedy);
}

MissExplanation explain_miss(const SessionRecord& record, const LinkService& service, const SessionOptions& options,
                             const SegmentRecord& segment) {
  const std::vector<RangeHistory> ranges = ranges_of(record, segment.segment);
  const auto late = late_ranges(ranges, *segment.due);

  const Words words =
      words_for(find_remedy(record, service, options, segment, ranges), record, options, segment, late.size());
  const std::string waited_for = late.empty() ? "" : story(record, segment, late);
  return {.segment = segment.segment,
          .miss = segment.miss,
          .avoided_by = words.avoided_by,
          .text = fmt::format("segment {} ({}) {} late, due at {}: {}{}; {}", to_index(segment.segment),
                              record.table().quality_name(segment.quality), seconds(segment.miss),
                              seconds(*segment.due), waited_for, outages(record, segment), words.text)};
}

/// Names the miss without which the skip would not have been, if one miss alone caused it.
MissExplanation explain_skip(const SessionRecord& record, const SegmentRecord& skipped) {
  std::string text = fmt::format("segment {} skipped at {}: {}", to_index(skipped.segment),
                                 seconds(*skipped.skipped_at), skipped.skip_reason);
  const SegmentRecord* before = nullptr;
  for (const auto& [index, s] : record.segments()) {
    if (index < skipped.segment && s.played) before = &s;
  }
  if (!skipped.missing && before != nullptr && before->miss > Duration{} &&
      skipped.skip_lag - before->miss <= record.table().duration(skipped.segment)) {
    text += fmt::format("; this would not have been without the miss of segment {}", to_index(before->segment));
  }
  return {.segment = skipped.segment, .skipped = true, .text = std::move(text)};
}

/// Quoted as in RFC 4180, because the sentences have commas.
std::string csv_field(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

}  // namespace

std::vector<MissExplanation> explain_misses(const SessionRecord& record, const SessionOptions& options) {
  std::vector<MissExplanation> misses;
  const LinkService service{record};
  for (const auto& [index, s] : record.segments()) {
    if (s.skipped) misses.push_back(explain_skip(record, s));
    if (s.played && s.miss > Duration{}) misses.push_back(explain_miss(record, service, options, s));
  }
  return misses;
}

std::optional<MissExplanation> explain_miss(const SessionRecord& record, const SessionOptions& options,
                                            SegmentIndex segment) {
  const auto found = record.segments().find(segment);
  if (found == record.segments().end()) return std::nullopt;
  const SegmentRecord& s = found->second;
  if (!s.requested || !s.complete || !s.due || s.miss <= Duration{}) return std::nullopt;
  return explain_miss(record, LinkService{record}, options, s);
}

std::optional<MissExplanation> worst_miss(const std::vector<MissExplanation>& misses) {
  const auto worst = std::max_element(
      misses.begin(), misses.end(), [](const MissExplanation& a, const MissExplanation& b) { return a.miss < b.miss; });
  if (worst == misses.end() || worst->skipped) return std::nullopt;
  return *worst;
}

void write_misses_csv(std::ostream& out, const std::vector<MissExplanation>& misses) {
  out << "segment,skipped,miss_s,avoided_by,explanation\n";
  for (const MissExplanation& m : misses) {
    out << fmt::format("{},{},{:.6f},{},{}\n", to_index(m.segment), m.skipped ? 1 : 0, to_seconds(m.miss), m.avoided_by,
                       csv_field(m.text));
  }
}

}  // namespace tributary
