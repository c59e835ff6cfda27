#pragma once

#include <optional>

namespace tributary::transport {

/// Learns after how many responses the origin closes its connections (nginx: 1000, Apache: 100). Requests beyond that
/// number would go unanswered; if it is known, they go to the next connection, which is made in time. Two connections
/// in a row must agree, because one may have been closed for another reason.
class KeepAliveLimit {
 public:
  bool allows_after(int requests) const { return !limit_ || requests < *limit_; }

  void on_announced_close(int responses) {
    limit_ = last_ == responses ? last_ : std::nullopt;
    last_ = responses;
  }
  /// The origin answered more requests than the limit.
  void on_exceeded() { limit_ = last_ = std::nullopt; }

 private:
  std::optional<int> last_, limit_;
};

}  // namespace tributary::transport
