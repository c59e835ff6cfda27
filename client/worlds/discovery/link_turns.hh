#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "units/session_clock.hh"

namespace tributary {

/// Over which link an origin is asked next, and when. That is the link that worked last; after a failure the one after it,
/// at once, and when all have failed, after a pause. A link over which the origin asks for a pause is left alone until
/// then.
class LinkTurns {
 public:
  /// Of these, the links that may be asked now.
  std::vector<std::string> free(const std::vector<std::string>& links, TimePoint now);
  /// Of links of which there is one.
  std::string choose(const std::vector<std::string>& links);

  void worked() { failures_ = 0; }
  /// This link answered before the one that was chosen.
  void turn_to(const std::string& link) { last_ = link; }
  void failed(TimePoint now);
  void leave_alone(const std::string& link, TimePoint until) { busy_until_[link] = until; }

  /// In a row, and all.
  std::size_t failures() const { return failures_; }
  std::size_t failures_ever() const { return failures_ever_; }
  /// No link is to be asked before.
  TimePoint not_before() const { return not_before_; }
  /// One of the links that free() was called with is free then.
  TimePoint first_free() const { return first_free_; }

 private:
  std::string last_;
  std::size_t failures_ = 0, failures_ever_ = 0;
  std::map<std::string, TimePoint> busy_until_;  // by link
  TimePoint not_before_, first_free_;
};

}  // namespace tributary
