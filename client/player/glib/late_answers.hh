#pragma once

#include <memory>
#include <utility>

namespace tributary::play {

/// Wraps functions that may be called late: after the end of this object, they do nothing.
class LateAnswers {
 public:
  template <typename Function>
  auto to(Function function) const {
    return [function = std::move(function), alive = std::weak_ptr<int>{alive_}](const auto&... answer) {
      if (!alive.expired()) function(answer...);
    };
  }

 private:
  std::shared_ptr<int> alive_ = std::make_shared<int>();
};

}  // namespace tributary::play
