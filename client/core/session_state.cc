#include "core/session_state.hh"

#include <algorithm>
#include <utility>

#include "presentation/segment_limits.hh"

namespace tributary {
namespace {

/// A stream at this rate brings a second of its lowest quality in a minute. A file may take any time, but no
/// network is slower than this (GPRS: 20 kbit/s, Iridium: 2.4 kbit/s): the origin brings nothing.
DataRate least_useful_rate(const SegmentTable& table, StreamingMode mode) {
  if (!plays(mode)) return DataRate::bits_per_second(1e3);
  return table.bitrate(QualityIndex{0}) / 60;
}

Rules rules_of(const SessionOptions& options) {
  Rules rules = Rules::without(options.without);
  rules.take_over = rules.take_over && options.duplicates_percent > 0;
  return rules;
}

}  // namespace

SessionState::SessionState(SegmentTable table, SessionOptions given)
    : options{std::move(given)},
      rules{rules_of(options)},
      timeline{std::move(table), options.mode},
      playout{options.playout},
      book{options.duplicates_percent},
      links{options.subsegments, options.timing},
      qualities{options, timeline.table(), rules},
      wait{least_useful_rate(timeline.table(), options.mode)} {
  validate(options);
  Spending::check(options, timeline.table());
}

void SessionState::move_to(TimePoint time) {
  const bool wanted_bytes = wants_bytes();
  if (!wanted_bytes || links.all_switched_off()) wait.restart(time);
  if (!wanted_bytes || links.empty()) qualities.rest(time);
  now = time;
  playout.advance(now, actions);
}

void SessionState::send(LinkId link, const SegmentAssembly& segment, const WantedRange& wanted, std::string reason,
                        std::optional<RequestId> takes_over) {
  spending.costs.requested(link, wanted.range.size());
  demand.asked(segment.segment(), wanted.range.size());
  book.send(link, segment, wanted, std::move(reason), links.at(link).estimator->throughput(), now, actions, takes_over);
  if (segment.comes_whole()) growing_files.asked(part_of(segment, wanted.part), link);
}

SegmentPart SessionState::part_of(const SegmentAssembly& segment, std::uint32_t part) const {
  const SegmentTable& table = timeline.table();
  if (part < segment.init_parts()) return table.init_parts(segment.segment(), segment.quality()).at(part);
  return table.parts(segment.segment(), segment.quality()).at(part - segment.init_parts());
}

void SessionState::learn_size(const OutstandingRequest& request, DataSize size) {
  const SegmentAssembly* segment = request.abandoned ? nullptr : book.find_segment(request.segment);
  const bool is_empty =
      size == DataSize{};  // which says nothing of other segments, and in a table means that it is lost
  if (segment != nullptr && !is_empty && !segment->size_is_known(request.part))
    timeline.learn_size(part_of(*segment, request.part), size);
  book.learn_size(request, size);
}

bool SessionState::is_full() const {
  DataSize ahead = playout.buffer().buffered_bytes();
  for (const SegmentAssembly& segment : book.segments()) ahead += segment.size();
  return ahead >= kMostAhead;
}

std::size_t SessionState::may_start() const {
  if (options.mode == StreamingMode::kDemanded) return 0;  // a player decides
  if (!timeline.next_exists() || (!rules.several_segments && !book.segments().empty())) return 0;
  const std::size_t received = book.segments().size() - (book.first_plays() ? 1 : 0);
  const std::size_t taken = received + playout.buffer().buffered_segments();
  if (taken >= options.buffer_segments || is_full()) return 0;
  return std::min(options.buffer_segments - taken, timeline.existing());
}

}  // namespace tributary
