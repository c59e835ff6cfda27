#pragma once

#include <deque>
#include <functional>

#include "gst/player/player.hh"

namespace tributary {

/// What a player has to say to its listener, kept until nothing of the player is being done. So the listener may call
/// the player whatever it is told, and what it closes there is not in use.
class PlayerNews {
 public:
  using Item = std::function<void(PlayerListener&)>;

  explicit PlayerNews(PlayerListener& listener) : listener_{listener} {}

  void add(Item item) { items_.push_back(std::move(item)); }
  /// What was not told of a title that is now closed.
  void forget() { items_.clear(); }

  /// A call from outside. At the end of the outermost one, what was added in it is told.
  class Call {
   public:
    explicit Call(PlayerNews& news) : news_{news} { ++news_.calls_; }
    ~Call() {
      if (news_.calls_ == 1) news_.tell();
      --news_.calls_;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    PlayerNews& news_;
  };

 private:
  void tell() {
    while (!items_.empty()) {
      const Item item = std::move(items_.front());
      items_.pop_front();
      item(listener_);
    }
  }

  PlayerListener& listener_;
  std::deque<Item> items_;
  int calls_ = 0;
};

}  // namespace tributary
