#pragma once

#include <functional>
#include <optional>

#include "download/beside/front_download.hh"
#include "download/beside/session_seen.hh"
#include "units/session_clock.hh"
#include "units/steady_rate.hh"

namespace tributary {

/// Which links the session leaves to the first answer, and when it gets them.
class LinkHold {
 public:
  enum class Holds { kAllLinks, kItsLink, kNoLink };
  struct Options {
    Holds at_first = Holds::kNoLink;
    Duration patience{};                // the longest silence of an origin that is not slow
    Duration turnaround{};              // of the link
    bool may_share = false;             // the session gets the link if the answer does not fill it
    std::function<void()> let_go = {};  // called when it holds fewer links
  };
  explicit LinkHold(Options options) : options_{std::move(options)}, holds_{options_.at_first} {}

  Holds holds() const { return holds_; }
  /// True if the session gets the answer's link now.
  bool advance(const FrontDownload& front, const SessionSeen& session, TimePoint now);
  /// The session gets that link. False: it had it.
  bool let_go(const FrontDownload& front);
  /// While the answer goes on.
  std::optional<TimePoint> next_deadline(const FrontDownload& front) const;

  /// The rate of the answer when the session got the link because of that.
  std::optional<DataRate> leaves_room() const { return leaves_room_; }

  struct Carried {
    DataSize size;
    Duration busy;
  };
  /// The bytes of the answer, as long as no session used its link. If a session used it from the beginning, nothing.
  std::optional<Carried> carried_alone(const FrontDownload& front) const;
  /// What the answer has brought since the moment at which the link was let go, and a session could use it as well.
  Carried carried_with_session(const FrontDownload& front) const;

 private:
  void hold(Holds what);
  bool look_for_room(const FrontDownload& front, TimePoint now);

  Options options_;
  Holds holds_;
  SteadyRate steady_;
  std::optional<DataRate> leaves_room_;
  std::optional<Carried> until_then_;  // set once the session has the link
};

}  // namespace tributary
