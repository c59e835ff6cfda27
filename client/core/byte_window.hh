#pragma once

#include "core/link_ids.hh"
#include "core/outstanding_requests.hh"
#include "core/subsegment_planner.hh"

namespace tributary {

/// Decides which links may be asked for more now: those that owe less than twice what is under way on them (rate times round
/// trip), and half a request. So a link never waits for a request, its rate is measured and not that of the window, and may
/// turn out to be twice as high; and what is not asked for can still go to another link. Links that are free first come
/// first. Where the origin lets each answer stand still, requests are as large as can be, and counted.
class ByteWindow {
 public:
  explicit ByteWindow(DataSize request) : request_{request} {}

  /// The link may be asked for more, if it can be used.
  static bool has_room_while_answers_stand_still(LinkId link, const OutstandingRequests& outstanding) {
    return outstanding.count(link) < 2;
  }
  bool has_room(LinkId link, std::optional<DataRate> rate, Duration round_trip,
                const OutstandingRequests& outstanding) const;
  /// It may, even if it was asked for as much as it has room for, but for no more than that.
  bool has_room_for_one_more(LinkId link, std::optional<DataRate> rate, Duration round_trip,
                             const OutstandingRequests& outstanding) const;
  LinkIds links_to_ask(const LinkEstimates& links, const OutstandingRequests& outstanding) const;

 private:
  DataSize request_;
};

}  // namespace tributary
