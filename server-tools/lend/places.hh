#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lending/pairing.hh"
#include "system/connection_shares.hh"

namespace tributary::lending {

/// Who may have one more connection to the lender. A connection is a stranger's until its key is known to be a member's.
/// There are few places for strangers, and fewer for those of one address. A new stranger takes the place of an older one, so
/// that nobody is kept out by those who say nothing. Members have places of their own, as many as there are descriptors for.
/// For one thread.
class Places {
 public:
  static constexpr std::size_t kStrangers = 32, kStrangersOfOne = 8, kOfMember = 128;

  /// `descriptors`: the most that the process may have open.
  explicit Places(std::size_t descriptors) : members_{descriptors / kDescriptorsOfOne} {}
  Places(const Places&) = delete;

  /// One connection, as long as the object lives. Places must outlive it.
  class Place {
   public:
    Place(Places& places, std::string address, std::function<void()> close);
    ~Place() { places_.all_.erase(own_); }
    Place(const Place&) = delete;

    /// Its key is a member's. False: there is no place for one more of this member, or it was given to another one.
    bool is_of(const MemberKey& member);

   private:
    friend class Places;

    Places& places_;
    std::string address_;
    std::function<void()> close_;
    std::optional<MemberKey> member_{};
    bool taken_away_ = false;
    std::list<Place*>::iterator own_;
  };

  /// `close` is called when the place is given to another one. Strangers from an address that a member is connected from are
  /// taken for that member's, whose programs may begin many connections at once. Null: these have all their places.
  std::unique_ptr<Place> take(const std::string& address, std::function<void()> close);

 private:
  static constexpr std::size_t kDescriptorsOfOne = 2;  // to the member, and to the origin

  bool has_member_at(const std::string& address) const;
  /// Whose place is to be given to a new stranger; null: there are enough.
  Place* oldest_to_go(const std::string& address) const;

  ConnectionShares members_;
  std::list<Place*> all_;  // the oldest first
};

}  // namespace tributary::lending
