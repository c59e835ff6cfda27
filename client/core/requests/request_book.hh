#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/action_queue.hh"
#include "core/link_now.hh"
#include "core/link_table.hh"
#include "core/outstanding_requests.hh"
#include "core/segment_assembly.hh"
#include "core/take_over.hh"
#include "presentation/segment_table.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows which segments are being received, in which quality, and which link was asked for which bytes of them by which
/// request. It is the only one that sends requests, and that drops or abandons what is not wanted any more.
class RequestBook {
 public:
  /// `duplicates_percent`: of all bytes received, so many may be asked of a second link.
  RequestBook(std::size_t qualities, std::uint32_t duplicates_percent)
      : duplicates_percent_{duplicates_percent}, initialised_(qualities) {}

  const OutstandingRequests& outstanding() const { return outstanding_; }
  OutstandingRequest* find(RequestId id) { return outstanding_.find(id); }
  /// The segments that are being received, in the order in which they were started.
  const std::deque<SegmentAssembly>& segments() const { return segments_; }
  std::deque<SegmentAssembly>& segments() { return segments_; }
  SegmentAssembly* find_segment(SegmentIndex index);

  // ---- Segments

  struct Begun {
    SegmentAssembly segment;
    std::uint32_t init_parts = 0;  // the first of its parts
  };
  /// The segment as it is to be received: with the init parts of its quality, unless an earlier segment brings these.
  Begun begin(SegmentIndex segment, QualityIndex quality, const SegmentTable& table);
  void add(SegmentAssembly segment) { segments_.push_back(std::move(segment)); }
  /// The first of the segments, if it is complete: from now on it is not received any more.
  std::optional<SegmentIndex> take_complete_front();
  /// All that are complete, in any order.
  std::vector<SegmentIndex> take_complete();
  /// Segments before `first_wanted` are not wanted any more; with `keep`, that one and those behind it are, if they are
  /// being received. Returns whether `first_wanted` is.
  bool drop_all_but(SegmentIndex first_wanted, bool keep, ActionQueue& actions);
  /// The segment cannot be completed. Returns whether it was being received.
  bool give_up(SegmentIndex segment);
  /// The segment is wanted in another quality: what comes of it, and has come, belongs to nothing.
  void drop_for_another_quality(const SegmentAssembly& segment, ActionQueue& actions);
  /// Without the init parts that the segment brings, later segments could not be decoded.
  bool brings_what_others_need(const SegmentAssembly& segment) const;
  /// Another sound has other init parts.
  void forget_init_parts() { std::ranges::fill(initialised_, std::nullopt); }

  // ---- Requests

  /// Asks the link, at the rate of `estimate` as far as that is known, for a range of the segment that nobody owes, or
  /// with `takes_over` for the end of what that request owes. The caller has taken it from the segment.
  void send(LinkId link, const SegmentAssembly& segment, const WantedRange& wanted, std::string reason,
            std::optional<DataRate> estimate, TimePoint now, ActionQueue& actions,
            std::optional<RequestId> takes_over = std::nullopt);
  /// From `range` on, what the request owes is asked of a second link as well.
  void take_over(RequestId request, ByteRange range);
  /// So much has come, of a request that is outstanding. Returns whether its segment is complete.
  bool receive(OutstandingRequest& request, DataSize size, TimePoint now);
  /// The request has ended.
  void remove(RequestId id) { outstanding_.remove(id); }
  /// What a request that failed did not bring is wanted again, apart from what other links were asked for as well.
  void want_again(const OutstandingRequest& failed, std::uint32_t wrong_answers);
  /// From now on each part is asked for as a whole: answers do not fit together.
  void ask_for_whole_parts() { whole_parts_ = true; }
  bool whole_parts() const { return whole_parts_; }
  /// What is outstanding of segments that are not being received is not wanted any more. A link that it would keep busy
  /// for long is told to end all that it owes.
  void abandon_what_is_not_wanted(std::span<const LinkNow> links, ActionQueue& actions);
  static void abandon(LinkId link, std::string reason, ActionQueue& actions) {
    actions.push(action::AbandonRequests{link, std::move(reason)});
  }

  // ---- What follows from it

  bool started_all_asked_for() const;
  bool has_given_back() const;
  /// Requested, or to be requested, and not yet received.
  DataSize bytes_to_come() const;
  Duration under_way(const SegmentTable& table) const;
  DuplicatesLeft duplicates_left() const;
  /// A segment is lowered: so much comes twice, or in vain.
  void count_duplicates(DataSize size) { duplicated_ += size; }

 private:
  bool whole_part_outstanding(const SegmentAssembly& segment, std::uint32_t part) const;

  std::uint32_t duplicates_percent_;
  OutstandingRequests outstanding_;
  std::deque<SegmentAssembly> segments_;
  std::vector<std::optional<SegmentIndex>> initialised_;  // by quality: the segment that brings its init parts
  RequestId next_request_{1};
  bool whole_parts_ = false;
  DataSize received_, duplicated_;
};

}  // namespace tributary
