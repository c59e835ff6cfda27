#include "memory/network_memory.hh"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "links/interfaces/network_name.hh"
#include "presentation/json/json_node.hh"
#include "system/state_files.hh"
#include "system/utc_now.hh"

namespace tributary {
namespace {

constexpr std::string_view kMemoryFormat = "tributary-link-memory";
constexpr int kMemoryVersion = 1;
constexpr std::string_view kMemoryLock = "link-memory";  // of its lock
constexpr auto kOldest = std::chrono::days{30};
constexpr auto kClocksDiffer = std::chrono::hours{1};  // a measurement from further in the future does not count
constexpr std::size_t kMostNetworks = 100;
constexpr double kMostBitPerSecond = 1e12, kLongestRoundTrip = 60;  // seconds

RememberedLink link_from(const JsonNode& network) {
  const JsonNode rate = network.member("throughput_bit_s"), round_trip = network.member("round_trip_s");
  if (!(rate.number() > 0 && rate.number() <= kMostBitPerSecond)) rate.refuse("is not a rate");
  if (!(round_trip.number() >= 0 && round_trip.number() <= kLongestRoundTrip)) round_trip.refuse("is not a round trip");
  return {DataRate::bits_per_second(rate.number()), from_seconds(round_trip.number())};
}

/// Limits values to those that link_from() takes. A loopback interface may be faster than any network, or have no rate
/// at all.
std::optional<RememberedLink> within_bounds(const RememberedLink& link) {
  const double rate = link.rate.bits_per_second();
  if (!(rate > 0)) return std::nullopt;
  return RememberedLink{DataRate::bits_per_second(std::clamp(rate, 1.0, kMostBitPerSecond)),
                        std::clamp(link.round_trip, Duration::zero(), from_seconds(kLongestRoundTrip))};
}

std::string text_of(const NetworkMemory::Entries& entries) {
  nlohmann::ordered_json out{
      {"format", kMemoryFormat}, {"version", kMemoryVersion}, {"networks", nlohmann::ordered_json::array()}};
  for (const auto& [network, entry] : entries) {
    out["networks"].push_back({{"network", network},
                               {"throughput_bit_s", entry.link.rate.whole_bits_per_second()},
                               {"round_trip_s", to_seconds(entry.link.round_trip)},
                               {"measured_at", utc_text(entry.measured_at)}});
  }
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

void drop_oldest(NetworkMemory::Entries& entries) {
  while (entries.size() > kMostNetworks)
    entries.erase(std::ranges::min_element(entries, {}, [](const auto& entry) { return entry.second.measured_at; }));
}

}  // namespace

std::string NetworkMemory::network_of(const std::string& link) {
  try {
    return around_.network_of(link);
  } catch (const std::exception& error) {
    warn_once(fmt::format("where {} leads to is not known: {}", link, error.what()));
    return link;
  }
}

std::optional<RememberedLink> NetworkMemory::recall(const std::string& network) {
  try {
    const auto entries = read();
    if (!entries) return std::nullopt;
    const auto found = entries->find(network);
    return found == entries->end() ? std::nullopt : std::optional{found->second.link};
  } catch (const std::exception& error) {  // std::runtime_error or fs::filesystem_error
    warn_once(error.what());
    return std::nullopt;
  }
}

void NetworkMemory::remember(const std::map<std::string, RememberedLink>& networks) {
  if (networks.empty()) return;
  try {
    OpenFile lock{lock_path(folder_, kMemoryLock), O_RDWR | O_CREAT};
    lock.lock();
    std::optional<Entries> entries = read();
    if (!entries) {
      put_aside(path());
      entries.emplace();
    }
    for (const auto& [network, link] : networks) {
      if (const auto known = within_bounds(link)) (*entries)[network] = {*known, around_.now()};
    }
    drop_oldest(*entries);
    const std::string text = text_of(*entries);
    static_cast<void>(entries_from(text));        // throws rather than write a file that cannot be read again
    replace_file(path(), text, Kept::kBySystem);  // without waiting for the disk
  } catch (const std::exception& error) {
    warn_once(fmt::format("what links can do is not remembered: {}", error.what()));
  }
}

std::size_t NetworkMemory::forget() {
  if (!std::filesystem::exists(path())) return 0;
  OpenFile lock{lock_path(folder_, kMemoryLock), O_RDWR | O_CREAT};
  lock.lock();
  const auto entries = read();
  std::filesystem::remove(path());
  return entries ? entries->size() : 0;
}

std::optional<NetworkMemory::Entries> NetworkMemory::read() {
  const auto text = text_of_file(path());
  if (!text) return Entries{};
  try {
    return entries_from(*text);
  } catch (const JsonError& error) {
    warn_once(fmt::format("{} is damaged ({}): what links could do is measured anew", path().string(), error.what()));
    return std::nullopt;
  }
}

NetworkMemory::Entries NetworkMemory::entries_from(std::string_view text) const {
  const nlohmann::json document = parse_json(text);
  const JsonNode node{document, ""};
  node.expect_format(kMemoryFormat, kMemoryVersion);
  const UtcTime now = around_.now();
  const JsonNode networks = node.member("networks");
  Entries entries;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const JsonNode network = networks.element(i);
    const JsonNode time = network.member("measured_at");
    const auto measured_at = utc_from(time.text());
    if (!measured_at) time.refuse("is not a time in UTC");
    const RememberedLink link = link_from(network);
    if (now - *measured_at <= kOldest && *measured_at - now <= kClocksDiffer)
      entries[network.member("network").text()] = {link, *measured_at};
  }
  return entries;
}

void NetworkMemory::warn_once(const std::string& text) {
  if (warned_ != text) around_.warn(text);
  warned_ = text;
}

NetworkMemory::Surroundings surroundings_here(std::vector<std::string> origin_addresses,
                                              std::function<void(const std::string& text)> warn) {
  return {[addresses = std::move(origin_addresses)](const std::string& link) { return network_of(link, addresses); },
          utc_now, std::move(warn)};
}

std::shared_ptr<NetworkMemory> link_memory(std::vector<std::string> origin_addresses,
                                           std::function<void(const std::string& text)> warn) {
  try {
    return std::make_shared<NetworkMemory>(state_folder(), surroundings_here(std::move(origin_addresses), warn));
  } catch (const std::exception& error) {
    warn(error.what());
    return nullptr;
  }
}

}  // namespace tributary
