#include "player/memory/address_history.hh"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "presentation/json/json_node.hh"

namespace tributary::play {
namespace {

constexpr std::string_view kFormat = "tributary-play";
constexpr int kVersion = 1;
// A live stream may have gone on for years; a Duration holds 9e9 seconds.
constexpr double kLongest = 1e9;

bool is_position(double seconds) { return seconds >= 0 && seconds <= kLongest; }

PlayedAddress address_from(const JsonNode& node) {
  PlayedAddress address{.url = node.member("url").text(), .opened = {}, .position = {}};
  const JsonNode opened = node.member("opened");
  const auto time = utc_from(opened.text());
  if (!time) opened.refuse("not a time such as 2026-01-02T03:04:05Z");
  address.opened = *time;
  if (const auto position = node.find("position_s")) {
    const double seconds = position->number();
    if (!is_position(seconds)) position->refuse("not a position");
    address.position = from_seconds(seconds);
  }
  if (const auto title = node.find("title")) address.title = title->text();
  return address;
}

}  // namespace

AddressHistory AddressHistory::from_json(std::string_view text) {
  const nlohmann::json document = parse_json(text);
  const JsonNode root{document, ""};
  root.expect_format(kFormat, kVersion);
  AddressHistory history;
  const JsonNode addresses = root.member("addresses");
  for (std::size_t i = 0; i < std::min(addresses.size(), kMost); ++i) {
    history.latest_.push_back(address_from(addresses.element(i)));
  }
  return history;
}

std::string AddressHistory::to_json() const {
  nlohmann::ordered_json json{{"format", kFormat}, {"version", kVersion}};
  json["addresses"] = nlohmann::ordered_json::array();
  for (const PlayedAddress& address : latest_) {
    const std::string opened = utc_text(address.opened);
    if (!utc_from(opened)) continue;  // by a wrong clock, the year may not have four digits
    nlohmann::ordered_json entry{{"url", address.url}, {"opened", opened}};
    if (address.position && is_position(to_seconds(*address.position)))
      entry["position_s"] = to_seconds(*address.position);
    if (!address.title.empty()) entry["title"] = address.title;
    json["addresses"].push_back(std::move(entry));
  }
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<Duration> AddressHistory::position(const std::string& url) const {
  const auto found = std::ranges::find(latest_, url, &PlayedAddress::url);
  return found == latest_.end() ? std::nullopt : found->position;
}

void AddressHistory::opened(const std::string& url, UtcTime when, const std::string& title) {
  const auto position_then = position(url);
  std::erase_if(latest_, [&](const PlayedAddress& address) { return address.url == url; });
  latest_.insert(latest_.begin(), {url, when, position_then, title});
  if (latest_.size() > kMost) latest_.resize(kMost);
}

void AddressHistory::left_at(const std::string& url, std::optional<Duration> position) {
  const auto found = std::ranges::find(latest_, url, &PlayedAddress::url);
  if (found != latest_.end()) found->position = position;
}

std::optional<Duration> worth_resuming(Duration position, Duration duration) {
  constexpr Duration kBeginning = std::chrono::seconds{10};
  const Duration end = duration - std::max<Duration>(std::chrono::seconds{15}, duration / 50);
  if (position < kBeginning || position > end) return std::nullopt;
  return position;
}

}  // namespace tributary::play
