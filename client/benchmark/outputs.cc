#include "benchmark/outputs.hh"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/experience_input.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

/// Errors have texts of servers in them, and those need not be UTF-8.
std::string text_of(const nlohmann::ordered_json& figures) {
  return figures.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string why_ended(const SessionRecord& record) {
  return record.ended_because().empty() ? "an error ended it" : record.ended_because();
}

}  // namespace

Outputs::Outputs(const BenchOptions& options)
    : summary_{options.summary_file},
      segments_{options.segments_file},
      requests_{options.requests_file},
      links_{options.links_file},
      misses_{options.misses_file},
      p1203_{options.p1203_file},
      trace_{options.trace_file} {}

void Outputs::write(const Summary& summary, const SessionRecord& record, const SessionOptions& options,
                    const RunLabels& labels, const CapacityOf& capacity) {
  if (summary_.wanted()) summary_.stream() << text_of(summary_json(summary, record, options, labels));
  if (segments_.wanted()) write_segments_csv(segments_.stream(), record);
  if (requests_.wanted()) write_requests_csv(requests_.stream(), record);
  if (links_.wanted()) write_links_csv(links_.stream(), record, capacity);
  if (misses_.wanted()) write_misses_csv(misses_.stream(), summary.explained);
  if (p1203_.wanted()) p1203_.stream() << text_of(p1203_input(record));
  for (OutputFile* file : {&summary_, &segments_, &requests_, &links_, &misses_, &p1203_, &trace_}) file->close();
}

std::string summary_text(const Summary& s, const SessionRecord& record, const std::optional<Possible>& possible) {
  std::string text = fmt::format("{}: {}\n", record.complete() ? "complete" : "NOT complete", why_ended(record));
  text += "  quality   ";
  for (std::size_t q = s.shares.size(); q-- > 0;) {
    text += fmt::format("  {} {:.0f} %", record.table().quality_name(static_cast<QualityIndex>(q)), 100 * s.shares[q]);
  }
  text += fmt::format("\n  played      {} segments, {} changes of quality\n", s.played, s.switches);
  text += fmt::format("  deadlines   {} missed, {:.2f} s in all, {:.2f} s the worst\n", s.misses,
                      to_seconds(s.miss_total), to_seconds(s.miss_max));
  if (s.frames_shown) {
    text += fmt::format("  frames      {:.2f} % shown; {} segments without all of theirs\n", 100 * *s.frames_shown,
                        s.cut_short);
  }
  if (possible) {
    text += fmt::format("  possible    mean level {:.2f}, {} misses", possible->mean_level, possible->misses);
    if (const auto share = efficiency(s, possible)) text += fmt::format(": {:.2f} of it reached", *share);
    text += "\n";
  }
  if (s.startup) text += fmt::format("  start-up    {}\n", format_duration(*s.startup));
  if (s.lag_max) {
    text += fmt::format("  lag         {:.2f} s at the most, {:.2f} s at the end, {} segments skipped\n",
                        to_seconds(*s.lag_max), to_seconds(*s.lag_end), s.skipped);
  }
  text += fmt::format("  throughput  {}, {} in {}\n", format_rate(DataRate::bits_per_second(s.throughput_kbit_s * 1e3)),
                      format_size(s.bytes), format_duration(record.now().time_since_epoch()));
  for (const auto& [id, link] : record.links()) {
    text += fmt::format("  {:<11} {:.1f} %, {}, {} requests, {} failed\n", link.name,
                        s.bytes > DataSize{} ? 100 * (link.received / s.bytes) : 0.0, format_size(link.received),
                        link.requests, link.failures);
  }
  if (s.bill) text += bill_text(*s.bill);
  return text;
}

std::string misses_text(const Summary& summary) {
  if (summary.explained.empty()) return "no deadline was missed\n";
  std::string text;
  for (const MissExplanation& miss : summary.explained) text += miss.text + '\n';
  return text;
}

}  // namespace tributary
