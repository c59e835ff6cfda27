#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "player/memory/history_file.hh"

namespace tributary::play {

/// The films that were played, and where they were left. Knows none, and remembers none, where the user wants that.
class PlayedFilms {
 public:
  PlayedFilms(HistoryFile file, bool remembers) : file_{std::move(file)}, remembers_{remembers} {}

  /// The latest first.
  std::vector<PlayedAddress> latest() const { return history().latest(); }
  std::optional<Duration> position(const std::string& url) const { return history().position(url); }
  /// What is known of these addresses, in their order.
  std::vector<PlayedAddress> known_of(const std::vector<std::string>& urls) const;

  void opened(const std::string& url, UtcTime when, const std::string& title);
  /// Nothing: it begins anew the next time.
  void left_at(const std::string& url, std::optional<Duration> position);
  void forget_all();

 private:
  AddressHistory history() const { return remembers_ ? file_.read() : AddressHistory{}; }

  HistoryFile file_;
  bool remembers_;
};

}  // namespace tributary::play
