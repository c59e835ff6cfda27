#pragma once

#include <variant>
#include <vector>

#include "core/action_queue.hh"

namespace tributary::testing {

/// Takes all actions out of the queue, and returns those of one kind.
template <typename Kind>
std::vector<Kind> drained(ActionQueue& actions) {
  std::vector<Kind> result;
  while (auto action = actions.pop()) {
    if (auto* one = std::get_if<Kind>(&*action)) result.push_back(std::move(*one));
  }
  return result;
}

}  // namespace tributary::testing
