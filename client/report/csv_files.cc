#include "report/csv_files.hh"

#include <fmt/format.h>

#include <ostream>

namespace tributary {
namespace {

template <typename T>
std::string seconds(const std::optional<T>& value) {
  return value ? fmt::format("{:.6f}", to_seconds(*value)) : "";
}

std::string kilobits(const std::optional<DataRate>& rate) {
  return rate ? fmt::format("{:.1f}", rate->kilobits_per_second()) : "";
}

std::string outcome_of(const RequestRecord& r, const SessionRecord& record) {
  if (r.status == "outstanding") return "";
  if (r.status != "done") return "aborted";
  if (r.dropped) return "dropped";
  const SegmentRecord& s = record.segments().at(r.segment);
  return s.due && r.last_byte && *r.last_byte > *s.due ? "late" : "used";
}

}  // namespace

void write_segments_csv(std::ostream& out, const SessionRecord& record) {
  const SegmentTable& table = record.table();
  out << "index,quality,bitrate_kbit_s,bytes,request_s,first_byte_s,complete_s,due_s,play_s,miss_s,skipped,"
         "buffer_segments,lag_s,est_kbit_s,lowered_from\n";
  for (const auto& [index, s] : record.segments()) {
    if (!s.requested && !s.skipped) continue;  // published, but the session ended before its turn
    const bool known = s.requested.has_value();
    out << fmt::format("{},{},{},{},{},{},{},{},{},{:.6f},{},{},{},{},{}\n", to_index(index),
                       known ? table.quality_name(s.quality) : "",
                       known ? fmt::format("{:.1f}", table.bitrate(s.quality).kilobits_per_second()) : "",
                       s.size.bytes(), seconds(s.requested), seconds(s.first_byte), seconds(s.complete), seconds(s.due),
                       seconds(s.played), to_seconds(s.miss), s.skipped ? 1 : 0, s.buffered_segments, seconds(s.lag()),
                       kilobits(s.throughput), s.lowered_from ? table.quality_name(*s.lowered_from) : "");
  }
}

void write_requests_csv(std::ostream& out, const SessionRecord& record) {
  out << "id,segment,link,range_start,range_end,sent_s,first_byte_s,last_byte_s,bytes,status,outcome,"
         "estimate_kbit_s,takes_over\n";
  for (const RequestRecord& r : record.requests()) {
    out << fmt::format("{},{},{},{},{},{:.6f},{},{},{},{},{},{},{}\n", to_index(r.id), to_index(r.segment),
                       record.links().at(r.link).name, r.range.begin.bytes(), r.range.end.bytes() - 1,
                       to_seconds(r.sent), seconds(r.first_byte), seconds(r.last_byte), r.received.bytes(), r.status,
                       outcome_of(r, record), kilobits(r.estimate),
                       r.takes_over ? fmt::format("{}", to_index(*r.takes_over)) : "");
  }
}

void write_links_csv(std::ostream& out, const SessionRecord& record, const CapacityOf& capacity) {
  out << "time_s,link,state,capacity_kbit_s,goodput_kbit_s,rtt_ms,inflight_bytes\n";
  for (const LinkSample& s : record.samples()) {
    const std::string rtt = s.round_trip ? fmt::format("{:.1f}", to_seconds(*s.round_trip) * 1e3) : "";
    out << fmt::format("{:.1f},{},{},{},{:.1f},{},{}\n", to_seconds(s.at), record.links().at(s.link).name,
                       s.up ? "up" : "down", kilobits(capacity(s.link, s.at)),
                       (s.received / SessionRecord::kSampleEvery).kilobits_per_second(), rtt,
                       s.outstanding_bytes.bytes());
  }
}

}  // namespace tributary
