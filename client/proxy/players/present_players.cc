#include "proxy/players/present_players.hh"

#include <algorithm>
#include <chrono>

namespace tributary::proxy {
namespace {

/// A player that has a full buffer asks for nothing for a while.
constexpr Duration kPlayerIsGone = std::chrono::seconds{60};
constexpr std::size_t kMostPlayers = 100;

}  // namespace

std::shared_ptr<PlayerLine> PresentPlayers::asks(const Request& request, const Cmcd& cmcd, TimePoint now) {
  const std::string name = cmcd.session ? *cmcd.session : request.field("User-Agent").value_or("");
  const std::lock_guard lock{mutex_};
  std::erase_if(players_, [&](const auto& player) { return now - player.second.asked >= kPlayerIsGone; });
  if (players_.size() >= kMostPlayers && !players_.contains(name)) return nullptr;
  Player& player = players_[name];
  player.asked = now;
  return player.line;
}

std::size_t PresentPlayers::count(TimePoint now) const {
  const std::lock_guard lock{mutex_};
  const auto is_there = [&](const auto& player) { return now - player.second.asked < kPlayerIsGone; };
  return static_cast<std::size_t>(std::ranges::count_if(players_, is_there));
}

}  // namespace tributary::proxy
