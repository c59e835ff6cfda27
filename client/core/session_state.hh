#pragma once

#include <optional>
#include <string>

#include "core/action_queue.hh"
#include "core/costs/spending.hh"
#include "core/links/link_table.hh"
#include "core/links/vain_wait.hh"
#include "core/playout/latency_control.hh"
#include "core/playout/partial_play.hh"
#include "core/playout/playout.hh"
#include "core/qualities/lowering.hh"
#include "core/qualities/qualities.hh"
#include "core/requests/growing_files.hh"
#include "core/requests/missing_qualities.hh"
#include "core/requests/request_book.hh"
#include "core/rules.hh"
#include "core/session_options.hh"
#include "core/timeline/demand.hh"
#include "core/timeline/timeline.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The parts of a session, and the questions that take several of them to answer. Each part owns its state; a part that
/// decides is shown all of it.
struct SessionState {
  /// Throws std::invalid_argument if the options are impossible or the adaptation is unknown.
  SessionState(SegmentTable table, SessionOptions options);

  /// Until `time`, nothing has happened but playout.
  void move_to(TimePoint time);
  /// Asks the link for a range of a segment (RequestBook::send) at the known rate of the link, and counts the cost.
  void send(LinkId link, const SegmentAssembly& segment, const WantedRange& wanted, std::string reason,
            std::optional<RequestId> takes_over = std::nullopt);

  /// The part of a segment that is being received.
  SegmentPart part_of(const SegmentAssembly& segment, std::uint32_t part) const;
  /// An answer to this request has told the size of its part.
  void learn_size(const OutstandingRequest& request, DataSize size);

  LinksNow links_now() const { return links.now(book.outstanding(), now); }
  bool is_spared(LinkId link) const { return spending.is_spared(link, now); }

  /// The number of segments that may be started now.
  std::size_t may_start() const;
  /// The segments that are buffered, or on their way, are as many bytes as may be kept: those are played first.
  bool is_full() const;
  bool may_start_segment() const { return may_start() > 0; }
  bool wants_bytes() const { return !book.segments().empty() || may_start_segment(); }
  /// A viewer waits for bytes, or will: they are worth a second request.
  bool is_awaited() const { return playout.awaited() || demand.first_due().has_value(); }
  bool may_stand_still() const { return playout.may_stand_still() || demand.first_due().has_value(); }
  /// When the first of the segments that are not complete is wanted.
  TimePoint first_due() const {
    return demand.empty() ? playout.first_due(now) : demand.first_due().value_or(TimePoint::max());
  }
  /// Every segment was started, and every byte of them asked for.
  bool everything_asked_for() const {
    return timeline.all_started() && book.started_all_asked_for() && book.all_sizes_are_known();
  }
  /// Every segment was started, and none is being received.
  bool nothing_more_comes() const { return timeline.all_started() && book.segments().empty(); }

  SessionOptions options;
  Rules rules;
  TimePoint now;
  ActionQueue actions;
  Timeline timeline;
  Demand demand;
  Playout playout;
  PartialPlay partial;
  RequestBook book;
  GrowingFiles growing_files;
  MissingQualities missing;
  LinkTable links;
  Qualities qualities;
  Lowering lowering;
  LatencyControl latency;
  Spending spending;
  VainWait wait;
};

}  // namespace tributary
