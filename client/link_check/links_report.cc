#include "link_check/links_report.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "units/text/quantity_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

using Row = std::vector<std::string>;

std::string or_dash(std::string text) { return text.empty() ? "-" : text; }
std::string yes_or_no(std::optional<bool> value) { return !value ? "-" : *value ? "yes" : "no"; }

/// Pads each column to its widest cell, except for the last column.
std::string lines_of(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format("{:<{}}", row[i], i + 1 < row.size() ? widths[i] + 2 : 0);
    text += line + "\n";
  }
  return text;
}

std::string addresses_of(const LinkState& link) {
  std::vector<std::string> all{link.ipv4.addresses.begin(), link.ipv4.addresses.end()};
  all.insert(all.end(), link.ipv6.addresses.begin(), link.ipv6.addresses.end());
  return fmt::format("{}", fmt::join(all, " "));
}

std::string gateways_of(const LinkState& link) {
  const bool both = !link.ipv4.gateway.empty() && !link.ipv6.gateway.empty();
  return link.ipv4.gateway + (both ? " " : "") + link.ipv6.gateway;
}

std::string state_of(const LinkEntry& link) {
  if (!link.diagnosis) return link.probe ? "works" : "ready";
  const bool fails = link.probe && link.probe->failure;
  return std::string{link.state.obstacle().value_or(fails ? "does not work" : "see below")};
}

std::string last_time_of(const LinkEntry& link) {
  return link.remembered ? fmt::format("{:.2f} Mbit/s", link.remembered->rate.bits_per_second() / 1e6) : "-";
}

std::string connection_of(const LinkProbe& probe) {
  if (probe.requests_on_a_connection == 0) return "-";
  return probe.closes_after ? fmt::format("{} requests", *probe.closes_after)
                            : fmt::format("over {} requests", probe.requests_on_a_connection);
}

std::string tls_of(const LinkProbe& probe) {
  if (probe.answered_by.empty()) return "-";
  return probe.answered_by.starts_with("https:") ? "verified" : "no";
}

nlohmann::json family_json(const LinkState::Family& family) {
  return {{"addresses", family.addresses}, {"route", family.has_route}, {"gateway", family.gateway}};
}

template <typename T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json{};
}

nlohmann::json probe_json(const LinkProbe& probe) {
  nlohmann::json json{{"answered_by", redacted(probe.answered_by)},
                      {"etag", probe.etag},
                      {"ranges", probe.ranges},
                      {"pipelining", or_null(probe.pipelining)},
                      {"requests_on_a_connection", probe.requests_on_a_connection},
                      {"closes_after", or_null(probe.closes_after)},
                      {"sampled_bytes", probe.sampled.bytes()},
                      {"also_over", probe.also_over}};
  json["size_bytes"] = probe.size ? nlohmann::json(probe.size->bytes()) : nlohmann::json{};
  json["round_trip_s"] = probe.round_trip ? nlohmann::json(to_seconds(*probe.round_trip)) : nlohmann::json{};
  json["rate_bit_s"] = probe.rate ? nlohmann::json(probe.rate->whole_bits_per_second()) : nlohmann::json{};
  json["tls"] = probe.answered_by.starts_with("https:");
  if (probe.failure) json["failure"] = {{"reason", to_string(probe.failure->reason)}, {"text", probe.failure->text}};
  return json;
}

}  // namespace

std::string links_table(const std::vector<LinkEntry>& links, const std::optional<std::string>& address_problem) {
  std::vector<Row> rows{{"LINK", "KIND", "DRIVER", "ADDRESSES", "GATEWAY", "METERED", "LAST TIME", "STATE"}};
  std::vector<Row> checks{{"LINK", "ROUND TRIP", "RATE", "RANGES", "PIPELINING", "CONNECTION STAYS FOR", "TLS"}};
  std::string problems;
  std::optional<DataSize> too_small;
  for (const LinkEntry& link : links) {
    rows.push_back({link.state.name, link.state.kind, or_dash(link.driver), or_dash(addresses_of(link.state)),
                    or_dash(gateways_of(link.state)), yes_or_no(link.metered), last_time_of(link), state_of(link)});
    if (link.probe) {
      const LinkProbe& probe = *link.probe;
      checks.push_back({link.state.name, probe.round_trip ? format_duration(*probe.round_trip) : "-",
                        probe.rate ? fmt::format("{:.2f} Mbit/s", probe.rate->bits_per_second() / 1e6) : "-",
                        probe.answered_by.empty() ? "-" : yes_or_no(probe.ranges), yes_or_no(probe.pipelining),
                        connection_of(probe), tls_of(probe)});
      if (probe.too_small) too_small = probe.sampled;
    }
    if (!link.diagnosis) continue;
    problems += fmt::format("\n{}: {}\n", link.state.name, link.diagnosis->problem);
    if (!link.diagnosis->command.empty()) problems += fmt::format("  {}\n", link.diagnosis->command);
  }
  if (too_small)
    problems += fmt::format("\nno rate: {} are too few to measure it; check a manifest, or a larger file\n",
                            format_size(*too_small));
  if (address_problem) problems += fmt::format("\n{}\n", *address_problem);
  return lines_of(rows) + (checks.size() > 1 ? "\n" + lines_of(checks) : "") + problems;
}

std::string links_json(const std::vector<LinkEntry>& links, const std::optional<std::string>& address_problem) {
  nlohmann::json all = nlohmann::json::array();
  for (const LinkEntry& link : links) {
    nlohmann::json json{{"name", link.state.name},
                        {"kind", link.state.kind},
                        {"driver", link.driver},
                        {"up", link.state.up},
                        {"carrier", link.state.carrier},
                        {"ipv4", family_json(link.state.ipv4)},
                        {"ipv6", family_json(link.state.ipv6)},
                        {"metered", or_null(link.metered)},
                        {"strict_reverse_path", link.strict_reverse_path},
                        {"usable", !link.diagnosis}};
    if (link.diagnosis) json["problem"] = {{"text", link.diagnosis->problem}, {"command", link.diagnosis->command}};
    if (link.remembered) {
      json["remembered"] = {{"rate_bit_s", link.remembered->rate.whole_bits_per_second()},
                            {"round_trip_s", to_seconds(link.remembered->round_trip)}};
    }
    if (link.probe) json["check"] = probe_json(*link.probe);
    all.push_back(std::move(json));
  }
  nlohmann::json json{{"links", all}};
  if (address_problem) json["address_problem"] = *address_problem;
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace tributary
