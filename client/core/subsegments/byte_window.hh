#pragma once

#include "core/links/link_ids.hh"
#include "core/requests/outstanding_requests.hh"
#include "core/subsegments/subsegment_planner.hh"

namespace tributary {

/// Decides which links may be asked for more now: those that owe less than twice the bytes under way on them (rate
/// times round trip), and half a request. A link then never waits for a request, its own rate is measured, and it may
/// turn out to be twice as fast; the rest can still go to another link. Links that are free first come first. Where the
/// origin lets each answer stand still, requests are counted instead.
class ByteWindow {
 public:
  explicit ByteWindow(DataSize request) : request_{request} {}

  /// The link has room, if it can be used.
  static bool has_room_while_answers_stand_still(LinkId link, const OutstandingRequests& outstanding) {
    return outstanding.count(link) < 2;
  }
  bool has_room(LinkId link, std::optional<DataRate> rate, Duration round_trip,
                const OutstandingRequests& outstanding) const;
  /// The link may be asked for one request more than it has room for.
  bool has_room_for_one_more(LinkId link, std::optional<DataRate> rate, Duration round_trip,
                             const OutstandingRequests& outstanding) const;
  LinkIds links_to_ask(const LinkEstimates& links, const OutstandingRequests& outstanding) const;

 private:
  DataSize request_;
};

}  // namespace tributary
