#include "proxy/page_status.hh"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "units/text/redacted_url.hh"

namespace tributary::proxy {
namespace {

using nlohmann::json;

std::string last_name(const std::string& url) {
  const std::string path = url.substr(0, url.find_first_of("?#"));
  return path.substr(path.rfind('/') + 1);
}

const char* name_of(TitleKind kind) {
  switch (kind) {
    case TitleKind::kHls:
      return "hls";
    case TitleKind::kDash:
      return "dash";
    case TitleKind::kFile:
      return "file";
  }
  return "";
}

json or_null(bool is_known, auto value) { return is_known ? json(value) : json(nullptr); }

}  // namespace

void PageStatus::add_earlier(const std::map<std::string, DataSize>& carried) {
  for (const auto& [link, bytes] : carried) links_[link].bytes += bytes;
}

void PageStatus::add(std::size_t number, const std::string& local, const ProxiedTitle& title) {
  Title& added = titles_.emplace_back(Title{.number = number,
                                            .name = last_name(title.manifest()),
                                            .address = redacted(title.manifest()),
                                            .local = local,
                                            .facts = title.facts(),
                                            .players = title.players(),
                                            .bytes = {}});
  for (const Wait& wait : title.waits()) waits_.emplace_back(number, wait);
  for (const auto& [link, bytes] : title.carried()) {
    added.bytes += bytes;
    links_[link].bytes += bytes;
  }
  for (const LinkStatus& link : title.status().links) {
    Link& sum = links_[link.name];
    sum.rate += link.rate_now;
    if (sum.status.name.empty() || link.activity == LinkActivity::kUsed) sum.status = link;
  }
}

void PageStatus::add_list(std::size_t number, const std::string& local, const std::string& url) {
  titles_.push_back({.number = number,
                     .name = last_name(url),
                     .address = redacted(url),
                     .local = local,
                     .facts = {},
                     .bytes = {},
                     .is_list = true});
}

/// The newest last.
json PageStatus::waits_json() const {
  auto waits = waits_;
  std::ranges::stable_sort(waits, {}, [](const auto& wait) { return wait.second.at; });
  json all = json::array();
  for (const auto& [title, wait] : waits) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(wait.at);
    all.push_back({{"title", title},
                   {"at", fmt::format("{:%H:%M:%S}", fmt::localtime(std::chrono::system_clock::to_time_t(seconds)))},
                   {"seconds", to_seconds(wait.length)},
                   {"why", sentence(wait.reason)}});
  }
  return all;
}

std::string PageStatus::text(const std::map<std::string, LinkUse>& chosen) const {
  json titles = json::array(), links = json::array();
  for (const Title& title : titles_)
    titles.push_back({{"number", title.number},
                      {"name", title.name},
                      {"address", title.address},
                      {"local", title.local},
                      {"kind", title.is_list ? "list" : name_of(title.facts.kind)},
                      {"live", title.facts.live},
                      {"players", title.players},
                      {"bytes", title.bytes.bytes()},
                      {"error", title.facts.error},
                      {"not_led", title.facts.not_led}});
  DataSize total;
  for (const auto& [name, link] : links_) total += link.bytes;
  for (const auto& [name, link] : links_) {
    const auto use = chosen.find(name);
    const LinkCost& cost = link.status.cost;
    const bool paid = cost.kind == CostKind::kPaid;
    links.push_back({{"name", name},
                     {"kind", link.status.kind},
                     {"use", name_of(use != chosen.end() ? use->second : link.status.use)},
                     {"activity", name_of(link.status.activity)},
                     {"why", link.status.why},
                     {"rate_kbit_s", link.rate.kilobits_per_second()},
                     {"share", total > DataSize{} ? link.bytes / total : 0},
                     {"bytes", link.bytes.bytes()},
                     {"cost", name_of(cost.kind)},
                     {"price_per_mb", or_null(paid, cost.price_per_mb)},
                     {"money", or_null(paid, cost.price_per_mb * static_cast<double>(link.bytes.bytes()) / 1e6)},
                     {"cap_bytes", or_null(cost.cap.has_value(), cost.cap.value_or(DataSize{}).bytes())},
                     {"used_bytes", or_null(cost.cap.has_value(), (cost.used_before + link.bytes).bytes())}});
  }
  const json status{
      {"version", version_}, {"titles", std::move(titles)}, {"links", std::move(links)}, {"waits", waits_json()}};
  return status.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace tributary::proxy
