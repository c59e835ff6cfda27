#include "download/report/get_report.hh"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "units/data_rate.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

DataRate goodput(const GetReport& report) { return report.time > Duration{} ? report.bytes / report.time : DataRate{}; }

double share(const GetReport& report, const GetReport::Link& link) {
  return report.bytes > DataSize{} ? link.bytes / report.bytes : 0.0;
}

}  // namespace

void add_links(GetReport& report, const SessionRecord& record) {
  for (const auto& [id, link] : record.links()) {
    report.bytes += link.received;
    report.links.push_back({link.name, link.received, link.requests, link.failures, link.most_connections});
  }
  report.bill = bill_of(record, {});
}

void add_beside(GetReport& report, const std::string& link, DataSize bytes) {
  if (bytes == DataSize{}) return;
  report.bytes += bytes;
  const auto found = std::ranges::find(report.links, link, &GetReport::Link::name);
  if (found == report.links.end()) {
    report.links.push_back({link, bytes, 1, 0});
  } else {
    found->bytes += bytes;
    ++found->requests;
  }
}

std::string to_json(const GetReport& report) {
  nlohmann::ordered_json out{{"url", report.url}, {"file", report.file}, {"complete", report.complete}};
  if (report.quality) out["quality"] = *report.quality;
  out["ranges"] = report.ranges;
  out["bytes"] = report.bytes.bytes();
  out["resumed_bytes"] = report.resumed.bytes();
  out["seconds"] = to_seconds(report.time);
  out["goodput_kbit_s"] = goodput(report).kilobits_per_second();
  out["links"] = nlohmann::ordered_json::array();
  for (const GetReport::Link& link : report.links) {
    out["links"].push_back({{"name", link.name},
                            {"bytes", link.bytes.bytes()},
                            {"share", share(report, link)},
                            {"connections", link.connections},
                            {"requests", link.requests},
                            {"failures", link.failures}});
  }
  if (report.bill) {
    for (std::size_t i = 0; i < report.bill->entries.size(); ++i) {
      const Bill::Entry& entry = report.bill->entries[i];
      if (entry.cost.spared()) out["links"][i].update({{"cost", name_of(entry.cost.kind)}, {"money", entry.money}});
    }
    out["bill_bytes"] = report.bill->spared_bytes.bytes();
    out["bill_money"] = report.bill->money;
  }
  return out.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string to_text(const GetReport& report) {
  if (report.complete && report.bytes == DataSize{} && report.resumed > DataSize{})
    return fmt::format("{} is whole already, with {}\n", report.file, format_size(report.resumed));
  std::string text = fmt::format("{}: {}{} in {}, {}", report.file, report.complete ? "" : "NOT whole, ",
                                 format_size(report.bytes), format_duration(report.time), format_rate(goodput(report)));
  if (report.resumed > DataSize{}) text += fmt::format("; {} were there", format_size(report.resumed));
  for (const GetReport::Link& link : report.links) {
    text += fmt::format("; {} {:.1f} %", link.name, 100 * share(report, link));
  }
  text += "\n";
  return report.bill ? text + bill_text(*report.bill) : text;
}

}  // namespace tributary
