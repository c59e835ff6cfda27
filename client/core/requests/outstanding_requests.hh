#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "units/byte_range.hh"
#include "units/byte_set.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A request that has been sent and has not ended.
struct OutstandingRequest {
  RequestId id{};
  LinkId link{};
  SegmentIndex segment{};
  std::uint32_t part = 0;
  ByteRange range;                  // within the part
  std::uint32_t wrong_answers = 0;  // how often this range has been answered wrongly before
  TimePoint sent;
  DataSize received{};
  TimePoint last_byte{};  // when bytes came last
  bool began = false;
  bool abandoned = false;  // its bytes are not wanted any more; the link still has to bring them
  Duration expected{};     // how long it was expected to take; zero if the link was unmeasured
  /// Other links were asked for the bytes behind this offset of the part.
  std::optional<DataSize> taken_over_from{};
  /// The request that asked for these bytes first; they are its end.
  std::optional<RequestId> takes_over{};
  bool to_the_end = false;  // of a part of unknown size: its bytes may go on behind the range

  ByteRange left() const { return {range.begin + received, range.end}; }
  /// The bytes of left() that no other link was asked for.
  ByteRange owed_alone() const {
    const DataSize end = std::min(range.end, taken_over_from.value_or(range.end));
    return {range.begin + received, std::max(range.begin + received, end)};
  }
};

/// Knows which bytes each link owes, and by which request. Answers on a link come in the order of the requests (RFC
/// 9112 section 9.3.2), so a link answers its oldest request.
class OutstandingRequests {
 public:
  void add(const OutstandingRequest& request);
  /// Null if the request is not outstanding.
  const OutstandingRequest* find(RequestId id) const {
    const auto it = std::ranges::find(requests_, id, &OutstandingRequest::id);
    return it == requests_.end() ? nullptr : &*it;
  }
  OutstandingRequest* find(RequestId id) { return const_cast<OutstandingRequest*>(std::as_const(*this).find(id)); }
  void remove(RequestId id);
  /// The removed request `failed` will not deliver. A duplicate of its tail now counts as a duplicate of the request
  /// that `failed` duplicated. The request whose tail `failed` covered owes that tail again, except where another
  /// request covers it.
  void has_no_end(const OutstandingRequest& failed);
  /// The bytes of the part that are still to come, over all links.
  ByteSet asked_for(SegmentIndex segment, std::uint32_t part) const;
  /// A request for exactly this range of the part is outstanding, and wanted.
  bool wants(SegmentIndex segment, std::uint32_t part, ByteRange range) const;
  /// The part that this request asks for has this size: nothing behind it is owed.
  void end_part(const OutstandingRequest& from, DataSize size);
  void abandon(RequestId id) { find(id)->abandoned = true; }

  bool empty() const { return requests_.empty(); }
  std::uint32_t count(LinkId link) const {
    return static_cast<std::uint32_t>(std::ranges::count(requests_, link, &OutstandingRequest::link));
  }
  /// Number of requests on the link since it was last idle.
  std::uint32_t sent_since_idle(LinkId link) const;
  /// The oldest request of the link; null if it is idle.
  const OutstandingRequest* head(LinkId link) const {
    const auto it = std::ranges::find(requests_, link, &OutstandingRequest::link);
    return it == requests_.end() ? nullptr : &*it;
  }
  /// Bytes requested and not yet received, over all links. Bytes that two links were asked for count once.
  DataSize bytes_left() const;
  /// Bytes that the link owes.
  DataSize bytes_left(LinkId link) const {
    DataSize total;
    for (const OutstandingRequest& request : requests_) {
      if (request.link == link) total += request.left().size();
    }
    return total;
  }
  /// Unwanted bytes that the link owes.
  DataSize abandoned_bytes(LinkId link) const;
  /// Unwanted bytes, over all links.
  DataSize abandoned_bytes() const;
  /// Wanted bytes of the segment that are still to come. Bytes that two links were asked for count twice.
  DataSize wanted_bytes(SegmentIndex segment) const;

  /// In the order of sending, which is that of their ids.
  const std::vector<OutstandingRequest>& all() const { return requests_; }

 private:
  std::vector<OutstandingRequest> requests_;
  std::map<LinkId, std::uint32_t> sent_since_idle_;
};

}  // namespace tributary
