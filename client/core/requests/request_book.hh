#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/action_queue.hh"
#include "core/links/link_now.hh"
#include "core/links/link_table.hh"
#include "core/requests/init_parts.hh"
#include "core/requests/outstanding_requests.hh"
#include "core/requests/segment_assembly.hh"
#include "core/scheduling/take_over.hh"
#include "presentation/segments/segment_table.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows which segments are being received, in which quality, and which link was asked for which bytes of them by which
/// request. Only it sends requests, and drops or abandons unwanted ones.
class RequestBook {
 public:
  /// `duplicates_percent`: this share of all received bytes may be asked of a second link.
  explicit RequestBook(std::uint32_t duplicates_percent) : duplicates_percent_{duplicates_percent} {}

  const OutstandingRequests& outstanding() const { return outstanding_; }
  OutstandingRequest* find(RequestId id) { return outstanding_.find(id); }
  /// The segments that are being received, in the order in which they were started.
  const std::deque<SegmentAssembly>& segments() const { return segments_; }
  std::deque<SegmentAssembly>& segments() { return segments_; }
  SegmentAssembly* find_segment(SegmentIndex index);

  // ---- Segments

  /// The segment with its parts to be received. The init parts of its quality are among them, unless an earlier segment
  /// of the same stretch brings these.
  SegmentAssembly begin(SegmentIndex segment, QualityIndex quality, const SegmentTable& table);
  void add(SegmentAssembly segment);
  /// The first bytes of this segment come by other means (event::RestArrived), be it begun now or later. Those of a
  /// segment that was named before no longer do.
  void comes_otherwise(SegmentIndex segment, DataSize here, DataSize until);
  /// Removes and returns the first segment, if it is complete.
  std::optional<SegmentIndex> take_complete_front();
  /// Removes and returns all complete segments.
  std::vector<SegmentIndex> take_complete();
  /// Drops segments before `first_wanted`. With `keep`, that segment and those behind it go on if they are being
  /// received; else they are dropped as well. True if `first_wanted` goes on.
  bool drop_all_but(SegmentIndex first_wanted, bool keep, ActionQueue& actions);
  /// The segment cannot be completed. True if it was being received.
  bool give_up(SegmentIndex segment);
  /// The segment is wanted in another quality: its bytes, here or on their way, are dropped.
  void drop_for_another_quality(const SegmentAssembly& segment, ActionQueue& actions);
  /// Later segments could not be decoded without the init parts that this segment brings.
  bool brings_what_others_need(const SegmentAssembly& segment) const;
  /// The segment can be decoded only with init parts that no segment brings any more.
  bool lacks_init_parts(const SegmentAssembly& segment, const SegmentTable& table) const;
  /// Another sound has other init parts.
  void forget_init_parts() { init_parts_.forget_all(); }

  // ---- Requests

  /// Asks the link for a range of the segment that no link owes, or with `takes_over` for the end of that request's
  /// range. The caller has taken the range from the segment. `estimate` is the known rate of the link.
  void send(LinkId link, const SegmentAssembly& segment, const WantedRange& wanted, std::string reason,
            std::optional<DataRate> estimate, TimePoint now, ActionQueue& actions,
            std::optional<RequestId> takes_over = std::nullopt);
  /// A second link is asked for `range`, the end of the bytes that the request owes.
  void take_over(RequestId request, ByteRange range);
  /// `size` bytes of an outstanding request have come. True if its segment is complete.
  bool receive(OutstandingRequest& request, DataSize size, TimePoint now);
  /// The answer to this request has told the size of its part.
  void learn_size(const OutstandingRequest& from, DataSize size);
  /// The request has ended.
  void remove(RequestId id) { outstanding_.remove(id); }
  /// Missing bytes of a failed request are wanted again, except those that other links were asked for as well.
  void want_again(const OutstandingRequest& failed, std::uint32_t wrong_answers);
  /// From now on each part is asked for as a whole: answers do not fit together.
  void ask_for_whole_parts();
  bool whole_parts() const { return whole_parts_; }
  /// Outstanding requests of segments that are not being received become unwanted. A link that those would keep busy
  /// for long has to end all its requests.
  void abandon_what_is_not_wanted(std::span<const LinkNow> links, ActionQueue& actions);

  // ---- What follows from it

  /// The first segment plays already.
  bool first_plays() const { return !segments_.empty() && segments_.front().plays(); }
  bool started_all_asked_for() const;
  bool has_given_back() const;
  /// The size of every part that is being received is known.
  bool all_sizes_are_known() const;
  /// Requested, or to be requested, and not yet received.
  DataSize bytes_to_come() const;
  DuplicatesLeft duplicates_left() const;
  /// A segment is lowered: `size` bytes come twice, or in vain.
  void count_duplicates(DataSize size) { duplicated_ += size; }

 private:
  std::uint32_t duplicates_percent_;
  OutstandingRequests outstanding_;
  std::deque<SegmentAssembly> segments_;
  InitParts init_parts_;
  RequestId next_request_{1};
  bool whole_parts_ = false;
  DataSize received_, duplicated_;
  struct Otherwise {
    SegmentIndex segment;
    DataSize here, until;
  };
  std::optional<Otherwise> otherwise_;
};

/// Ends all requests of the link.
inline void abandon(LinkId link, std::string reason, ActionQueue& actions) {
  actions.push(action::AbandonRequests{link, std::move(reason)});
}

/// How much is played by the segments that are being received.
Duration under_way(const RequestBook& book, const SegmentTable& table);

}  // namespace tributary
