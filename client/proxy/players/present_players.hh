#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "proxy/pacing/player_line.hh"
#include "proxy/requests/cmcd.hh"
#include "proxy/requests/exchange.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// The players of a title that asked for something lately. They are told apart by the session that they state (CMCD), or
/// else by their program. Thread-safe.
class PresentPlayers {
 public:
  /// One of them asks. Returns the answers to it; null: there are too many players.
  std::shared_ptr<PlayerLine> asks(const Request& request, const Cmcd& cmcd, TimePoint now);
  std::size_t count(TimePoint now) const;

 private:
  struct Player {
    TimePoint asked;  // last
    std::shared_ptr<PlayerLine> line = std::make_shared<PlayerLine>();
  };
  mutable std::mutex mutex_;
  std::map<std::string, Player> players_;  // by what they call themselves
};

}  // namespace tributary::proxy
