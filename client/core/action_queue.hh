#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "core/action.hh"

namespace tributary {

/// What the session wants done, in the order in which it is to be done.
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
