#include "lend/places.hh"

#include <algorithm>
#include <utility>

namespace tributary::lending {

Places::Place::Place(Places& places, std::string address, std::function<void()> close)
    : places_{places},
      address_{std::move(address)},
      close_{std::move(close)},
      own_{places.all_.insert(places.all_.end(), this)} {}

bool Places::Place::is_of(const MemberKey& member) {
  if (taken_away_) return false;
  if (member_) return true;
  const auto& all = places_.all_;
  const auto of_members = std::ranges::count_if(all, [](const Place* place) { return place->member_.has_value(); });
  const auto own = std::ranges::count_if(all, [&](const Place* place) { return place->member_ == member; });
  const auto has = static_cast<std::size_t>(own);
  if (has >= kOfMember || !places_.members_.allow(has, static_cast<std::size_t>(of_members))) return false;
  member_ = member;
  return true;
}

std::unique_ptr<Places::Place> Places::take(const std::string& address, std::function<void()> close) {
  if (has_member_at(address)) {
    const auto from_there = [&](const Place* place) { return place->address_ == address; };
    if (std::ranges::count_if(all_, from_there) >= static_cast<std::ptrdiff_t>(kOfMember)) return nullptr;
  } else {
    while (Place* oldest = oldest_to_go(address)) {
      oldest->taken_away_ = true;
      oldest->close_();
    }
  }
  return std::make_unique<Place>(*this, address, std::move(close));
}

bool Places::has_member_at(const std::string& address) const {
  return std::ranges::any_of(
      all_, [&](const Place* place) { return place->member_.has_value() && place->address_ == address; });
}

/// Of its own address if that has all it may have; else of the one that has the most, which is not somebody new.
Places::Place* Places::oldest_to_go(const std::string& address) const {
  std::map<std::string, std::vector<Place*>> strangers;
  std::size_t all = 0;
  for (Place* place : all_) {
    if (place->member_ || place->taken_away_ || has_member_at(place->address_)) continue;
    strangers[place->address_].push_back(place);
    ++all;
  }
  const auto own = strangers.find(address);
  if (own != strangers.end() && own->second.size() >= kStrangersOfOne) return own->second.front();
  if (all < kStrangers) return nullptr;
  const auto number = [](const auto& of_one) { return of_one.second.size(); };
  const std::size_t most = number(*std::ranges::max_element(strangers, {}, number));
  const auto oldest = std::ranges::find_if(all_, [&](const Place* place) {
    const auto found = strangers.find(place->address_);
    return found != strangers.end() && found->second.size() == most && found->second.front() == place;
  });
  return *oldest;
}

}  // namespace tributary::lending
