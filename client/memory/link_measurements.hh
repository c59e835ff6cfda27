#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/event.hh"
#include "core/links/link_estimator.hh"
#include "core/requests/outstanding_requests.hh"
#include "memory/link_memory.hh"

namespace tributary {

/// Measures what links carry, for later sessions, and says of links that come up what earlier sessions measured. It
/// remembers each minute, when a link goes down, and at the end, so that little is lost of a program that is killed. If
/// a link carried too little to know, what is remembered of it stays.
class LinkMeasurements {
 public:
  /// `requests`: those of the session. Requests and memory must outlive it.
  LinkMeasurements(const OutstandingRequests& requests, LinkMemory& memory) : requests_{requests}, memory_{memory} {}
  ~LinkMeasurements() { remember(); }
  LinkMeasurements(const LinkMeasurements&) = delete;

  /// To be told of each event before the session is.
  void note(Event& event, TimePoint at);
  /// Counts bytes that the link carried beside the session, while the session requested nothing over it.
  void carried_beside(const std::string& link, DataSize size, Duration busy, Duration round_trip);
  /// Counts bytes that another connection carried over the link at the time of the session.
  void carried_with_session(const std::string& link, DataSize size, Duration busy);

 private:
  struct Lane {
    BusyRate rate;
    BusyRate::Measured remembered{};  // of that
  };
  struct Link {
    std::string network;  // since it came up
    std::map<LinkId, Lane> lanes;
    BusyRate::Measured other{};   // of a connection that is not the session's, not remembered yet
    Duration least_round_trip{};  // 0: not measured
    DataSize size() const;
  };
  BusyRate& rate_of(LinkId lane);
  void note_answer(const Event& event, TimePoint at);
  void note_link(Event& event);
  static bool is_enough(const BusyRate::Measured& measured);
  /// A measurement of the network, if it is enough; the next one begins now.
  static std::optional<RememberedLink> take(Link& link);
  void remember();

  const OutstandingRequests& requests_;
  LinkMemory& memory_;
  TimePoint remembered_at_{};
  std::map<LinkId, Link> links_;
  std::map<std::string, RememberedLink> beside_;  // by network
};

}  // namespace tributary
