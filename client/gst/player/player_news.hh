#pragma once

#include <deque>
#include <functional>

#include "gst/player/player.hh"

namespace tributary {

/// Messages for a player's listener. They wait until no call into the player is under way. So the listener may call the
/// player from each message, and never closes an object that is in use.
class PlayerNews {
 public:
  using Item = std::function<void(PlayerListener&)>;

  explicit PlayerNews(PlayerListener& listener) : listener_{listener} {}

  void add(Item item) { items_.push_back(std::move(item)); }
  void changed() {
    add([](PlayerListener& listener) { listener.changed(); });
  }
  void problem(PlayerProblem problem) {
    add([problem = std::move(problem)](PlayerListener& listener) { listener.problem(problem); });
  }
  /// Drops messages of a title that is now closed.
  void forget() { items_.clear(); }

  /// Marks a call from outside. The end of the outermost call tells the listener all that was added.
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
