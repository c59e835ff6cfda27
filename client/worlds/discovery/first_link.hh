#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/links/link_use.hh"
#include "links/link_monitor.hh"
#include "units/failure_reason.hh"
#include "units/session_clock.hh"

namespace tributary {

/// No link brought what was asked for. The text says for each link what was tried and what came back.
class NoLinkWorked : public std::runtime_error {
 public:
  NoLinkWorked(FailureReason why, bool asked, const std::string& text)
      : std::runtime_error{text}, reason{why}, tried{asked} {}
  FailureReason reason;  // on the last link that was tried
  bool tried;            // there was a link to try
};

/// What a link of this name may be used for.
using UseOfLink = std::function<LinkUse(const std::string& link)>;

/// How far it is, what was begun over a link. kComes: there is something that only one link may bring, and this one brings it.
enum class AttemptState { kConnecting, kAsked, kComes, kThere };

/// What was begun over a link. Throws transport::FetchError if it has failed.
using Attempt = std::function<AttemptState()>;

struct Attempts {
  /// May throw transport::FetchError.
  std::function<Attempt(const std::string& link)> begin;
  /// Until an attempt may have got on; so long at the most.
  std::function<void(std::optional<Duration> at_most)> wait;
  /// Is told what is waited for, every kTellEvery as long as nothing comes.
  std::function<void(const std::string& what_for)> tell;
};

/// How long a link may take alone before another is asked as well: a few round trips, with a handshake in them.
inline constexpr Duration kHeadStart = std::chrono::milliseconds{500};
inline constexpr Duration kTellEvery = std::chrono::seconds{5};

/// Asks one link after the other that the monitor, which is fresh, calls usable: the next when the one before has failed, or has not
/// brought it within kHeadStart. The first that brings it counts, and the other attempts are given up; if it fails before all is there,
/// they are begun again. Begins with the links that may be used; those for when they are needed are asked when all of them have failed.
/// Throws NoLinkWorked if every attempt failed.
void over_first_link(const std::string& url, LinkMonitor& monitor, const UseOfLink& use, const Attempts& attempts);

/// All links may be used.
inline LinkUse use_any_link(const std::string& /*link*/) { return LinkUse::kUse; }

}  // namespace tributary
