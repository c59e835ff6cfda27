#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/links/link_use.hh"
#include "links/interfaces/link_monitor.hh"
#include "units/failure_reason.hh"
#include "units/session_clock.hh"

namespace tributary {

/// No link brought the answer. The text tells the attempt and its result for each link.
class NoLinkWorked : public std::runtime_error {
 public:
  NoLinkWorked(FailureReason why, bool asked, const std::string& text)
      : std::runtime_error{text}, reason{why}, tried{asked} {}
  FailureReason reason;  // on the last link that was tried
  bool tried;            // false: there was no link to try
};

/// How far an attempt over a link has come. kComes: the answer is one that only one link may bring, and this link
/// brings it.
enum class AttemptState { kConnecting, kAsked, kComes, kThere };

/// Moves an attempt over a link on. Throws transport::FetchError if it has failed.
using Attempt = std::function<AttemptState()>;

struct Attempts {
  /// May throw transport::FetchError.
  std::function<Attempt(const std::string& link)> begin;
  /// Waits until an attempt may have got on, but at most this time.
  std::function<void(std::optional<Duration> at_most)> wait;
  /// Called every kTellEvery as long as nothing comes, with the reason of the wait.
  std::function<void(const std::string& what_for)> tell;
  /// Begins to connect over a link, which may be asked later. Called for each link in use but the first.
  std::function<void(const std::string& link)> preconnect = [](const std::string&) {};
  /// Such a connection is made.
  std::function<bool(const std::string& link)> is_connected = [](const std::string&) { return false; };
};

/// The time that a link has alone before another is asked, too: some round trips, including a handshake.
inline constexpr Duration kHeadStart = std::chrono::milliseconds{500};
inline constexpr Duration kFirstLink = std::chrono::seconds{3};
inline constexpr Duration kTellEvery = std::chrono::seconds{5};

/// Asks the usable links of a fresh monitor, one after the other: the next link when the one before has failed, or has
/// brought nothing within kHeadStart. A link that is connected while those that were asked are not is asked at once.
/// When one brings the answer, the other attempts are given up; if that link fails before the answer is complete, they
/// begin again.
///
/// While none is usable, but one may be in a moment (LinkMonitor::is_waiting), the first is waited for, for kFirstLink.
/// Begins with the links in use. Links for when they are needed are asked after all others have failed. Throws
/// NoLinkWorked if every attempt has failed.
void over_first_link(const std::string& url, LinkMonitor& monitor, const UseOfLink& use, const Attempts& attempts);
}  // namespace tributary
