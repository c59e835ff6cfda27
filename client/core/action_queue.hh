#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "core/action.hh"

namespace tributary {

/// Actions of the session, in the order in which they are to be performed.
class ActionQueue {
 public:
  void push(Action action) { actions_.push_back(std::move(action)); }
  std::optional<Action> pop() {
    if (actions_.empty()) return std::nullopt;
    Action action = std::move(actions_.front());
    actions_.pop_front();
    return action;
  }

 private:
  std::deque<Action> actions_;
};

}  // namespace tributary
