#include "core/scheduling/link_room.hh"

#include "core/subsegments/balanced_subsegments.hh"

namespace tributary {

// ---- By requests

LinkIds RoomByRequests::links_to_ask(const LinkTable& links, const LinksNow& /*present*/,
                                     const OutstandingRequests& outstanding, TimePoint now) const {
  return scheduler_.links_to_ask(links.usable(now), outstanding);
}

LinkIds RoomByRequests::links_to_ask(const LinkEstimates& links, const OutstandingRequests& outstanding) const {
  LinkIds ids;
  for (const LinkEstimate& link : links) ids.push_back(link.link);
  return scheduler_.links_to_ask(ids, outstanding);
}

bool RoomByRequests::has_room(const LinkEstimate& link, const OutstandingRequests& outstanding) const {
  return scheduler_.may_ask(link.link, outstanding);
}

bool RoomByRequests::has_room_for_one_more(const LinkNow& present, const Link& /*link*/,
                                           const OutstandingRequests& outstanding) const {
  return outstanding.count(present.link) <= depth_;
}

bool RoomByRequests::has_room_again(LinkId /*id*/, const Link& /*link*/,
                                    const OutstandingRequests& /*outstanding*/) const {
  return false;  // requests end, and are not bytes
}

// ---- By bytes

LinkIds RoomByBytes::links_to_ask(const LinkTable& links, const LinksNow& present,
                                  const OutstandingRequests& outstanding, TimePoint /*now*/) const {
  LinkIds with_room;
  for (const LinkNow& link : present) {
    if (link.usable && has_room(link.link, links.at(link.link), link.rate, outstanding)) with_room.push_back(link.link);
  }
  if (with_room.size() < 2) return with_room;  // the order needs no estimates
  return links_to_ask(links.estimates(present, outstanding), outstanding);
}

LinkIds RoomByBytes::links_to_ask(const LinkEstimates& links, const OutstandingRequests& outstanding) const {
  return window_.links_to_ask(links, outstanding);
}

bool RoomByBytes::has_room(const LinkEstimate& link, const OutstandingRequests& outstanding) const {
  return window_.has_room(link.link, link.throughput, link.round_trip, outstanding);
}

bool RoomByBytes::has_room(LinkId id, const Link& link, std::optional<DataRate> rate,
                           const OutstandingRequests& outstanding) const {
  if (link.answer_delay.value() > Duration::zero())
    return ByteWindow::has_room_while_answers_stand_still(id, outstanding);
  if (!rate && link.remembered)
    return window_.has_room(id, link.remembered->rate, link.remembered->round_trip, outstanding);
  return window_.has_room(id, rate, link.least_round_trip.value(), outstanding);
}

bool RoomByBytes::has_room_for_one_more(const LinkNow& present, const Link& link,
                                        const OutstandingRequests& outstanding) const {
  return window_.has_room_for_one_more(present.link, present.rate, link.least_round_trip.value(), outstanding);
}

bool RoomByBytes::has_room_again(LinkId id, const Link& link, const OutstandingRequests& outstanding) const {
  // The bound is sooner computed than the rate, and most often there is no room even by the bound.
  return has_room(id, link, link.most_rate(id, outstanding), outstanding) &&
         has_room(id, link, link.rate(id, outstanding), outstanding);
}

std::unique_ptr<LinkRoom> make_link_room(const SessionOptions& options) {
  if (traits_of(options.subsegments).room_in_bytes)
    return std::make_unique<RoomByBytes>(balanced_request(options.subsegment_size));
  return std::make_unique<RoomByRequests>(options.depth);
}

}  // namespace tributary
