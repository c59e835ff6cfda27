#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary::play {

/// An address that was played, and what is known of its title.
struct PlayedAddress {
  std::string url;
  UtcTime opened;
  std::optional<Duration> position;  // at which the user left it; nothing: from the start
  std::string title{};               // as its author calls it; empty: unknown

  bool operator==(const PlayedAddress&) const = default;
};

/// The addresses that were played last, the latest first. Keeps at most kMost.
class AddressHistory {
 public:
  static constexpr std::size_t kMost = 200;

  AddressHistory() = default;
  /// Throws JsonError that names the place.
  static AddressHistory from_json(std::string_view text);
  std::string to_json() const;

  const std::vector<PlayedAddress>& latest() const { return latest_; }
  std::optional<Duration> position(const std::string& url) const;

  void opened(const std::string& url, UtcTime when, const std::string& title = "");
  /// Without a position, the address starts from the beginning the next time. Ignores an address that was never opened.
  void left_at(const std::string& url, std::optional<Duration> position);

 private:
  std::vector<PlayedAddress> latest_;
};

/// The position at which to go on the next time; nothing near the beginning, or near the end.
std::optional<Duration> worth_resuming(Duration position, Duration duration);

}  // namespace tributary::play
