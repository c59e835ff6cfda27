#include "report/miss_remedy.hh"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace tributary {
namespace {

/// Bytes that the segment would have needed in another quality, with the init segments if they had not come before.
DataSize size_in(const SessionRecord& record, SegmentIndex segment, QualityIndex quality) {
  DataSize size = record.table().size(segment, quality);
  for (const auto& [index, s] : record.segments()) {
    if (index >= segment) break;
    if (s.requested && s.quality == quality && index >= record.table().stretch_begin(segment)) return size;
  }
  for (const SegmentPart& part : record.table().init_parts(segment, quality)) size += part.size();
  return size;
}

bool is_a_try(const RequestRecord& request, std::span<const RangeHistory> late) {
  return std::any_of(late.begin(), late.end(), [&](const RangeHistory& range) {
    return std::find(range.tries.begin(), range.tries.end(), &request) != range.tries.end();
  });
}

/// The time at which the link could have begun with the late ranges: after its earlier requests, and after its own
/// requests for the segment.
TimePoint free_at(LinkId link, const RequestRecord& asked, const SessionRecord& record, const LinkService& service,
                  std::span<const RangeHistory> late) {
  TimePoint free = asked.sent;
  for (const RequestRecord& r : record.requests()) {
    const bool goes_first = r.id < asked.id || r.segment <= asked.segment;
    if (r.link == link && goes_first && !is_a_try(r, late)) free = std::max(free, service.of(r).end);
  }
  if (free > asked.sent) return free;
  return free + record.links().at(link).round_trip.value_or(Duration{});  // on an idle link a round trip comes first
}

std::optional<remedy::OtherLink> over(LinkId link, const SessionRecord& record, const LinkService& service,
                                      const SegmentRecord& segment, std::span<const RangeHistory> late) {
  const auto asked_on_it = [&](const RangeHistory& range) { return range.first().link == link; };
  if (std::any_of(late.begin(), late.end(), asked_on_it)) return std::nullopt;
  const auto by_first = [](const RangeHistory& a, const RangeHistory& b) { return a.first().id < b.first().id; };
  const auto [first, last] = std::minmax_element(late.begin(), late.end(), by_first);
  const TimePoint asked = first->first().sent;
  const auto rate = service.rate(link, asked, *segment.complete);
  if (!rate) return std::nullopt;
  TimePoint arrival = free_at(link, last->first(), record, service, late);
  for (const RangeHistory& range : late) arrival += range.last().range.size() / *rate;
  if (arrival > *segment.due || !record.links().at(link).up_between(asked, arrival)) return std::nullopt;
  return remedy::OtherLink{link, *rate, arrival};
}

std::optional<remedy::OtherLink> other_link(const SessionRecord& record, const LinkService& service,
                                            const SegmentRecord& segment, std::span<const RangeHistory> late) {
  std::optional<remedy::OtherLink> best;
  for (const auto& [id, link] : record.links()) {
    const auto found = over(id, record, service, segment, late);
    if (found && (!best || found->arrival < best->arrival)) best = found;
  }
  return best;
}

/// Takes only this share of each link's first requests, in their order. The time at which the last of these bytes came.
TimePoint arrival_of_share(double share, const std::vector<RangeHistory>& ranges) {
  std::map<LinkId, DataSize> wanted;
  for (const RangeHistory& range : ranges) wanted[range.first().link] += range.first().range.size();
  for (auto& [link, size] : wanted) size = scale(size, share);
  std::vector<const RangeHistory*> in_order;
  for (const RangeHistory& range : ranges) in_order.push_back(&range);
  std::sort(in_order.begin(), in_order.end(), [](const RangeHistory* a, const RangeHistory* b) {
    return std::pair{a->first().id, a->last().id} < std::pair{b->first().id, b->last().id};
  });
  TimePoint arrival;
  for (const RangeHistory* range : in_order) {
    DataSize& left = wanted[range->first().link];
    if (left <= DataSize{}) continue;
    const DataSize taken = std::min(left, range->first().range.size());
    left -= taken;
    arrival = std::max(arrival, range->arrival_of(taken));
  }
  return arrival;
}

/// The highest of the lower qualities that would have been in time.
std::optional<remedy::LowerQuality> lower_quality(const SessionRecord& record, const SegmentRecord& segment,
                                                  const std::vector<RangeHistory>& ranges) {
  for (auto quality = to_index(segment.quality); quality-- > 0;) {
    const auto lower = static_cast<QualityIndex>(quality);
    const DataSize size = size_in(record, segment.segment, lower);
    const TimePoint arrival = arrival_of_share(std::min(size / segment.size, 1.0), ranges);
    if (arrival <= *segment.due) return remedy::LowerQuality{lower, size, arrival};
  }
  return std::nullopt;
}

/// The session as a queue. A segment's transfer begins when the one before is complete and the segment may be
/// requested; it takes as long as it really did. Knows segments 0 to the last that was complete.
class TransferQueue {
 public:
  TransferQueue(const SessionRecord& record, std::uint32_t buffer) : record_{record}, buffer_{buffer} {
    for (const auto& [index, s] : record.segments()) {
      if (!s.complete || !s.played) break;
      const TimePoint begin = std::max(completed_before(complete_), may_begin(s, buffer, played_));
      transfer_.push_back(std::max(*s.complete - begin, Duration{}));
      complete_.push_back(*s.complete);
      played_.push_back(*s.played);
    }
  }

  /// The effect of `more` segments of buffer and start-up on a segment. Nothing if the session has too few segments.
  std::optional<remedy::MoreBuffer> with_more(std::uint32_t more, SegmentIndex segment) const {
    const std::size_t buffer = buffer_ + more;
    const std::size_t late = to_index(segment);
    const std::size_t count = std::max(buffer, late + 1);
    if (count > transfer_.size()) return std::nullopt;
    std::vector<TimePoint> complete;
    std::vector<TimePoint> played;
    for (const auto& [index, s] : record_.segments()) {
      const std::size_t i = to_index(index);
      if (i == count) break;
      const TimePoint begin = std::max(completed_before(complete), may_begin(s, buffer, played));
      complete.push_back(begin + transfer_[i]);
      if (i + 1 < buffer) continue;
      if (played.empty()) played.push_back(complete.back());  // playout starts; the rest plays from the buffer
      while (played.size() <= i) {
        const std::size_t next = played.size();
        played.push_back(std::max(due(next, played), complete[next]));
      }
    }
    const Duration longer = played.front() - played_.front();
    if (late == 0) return std::nullopt;
    return remedy::MoreBuffer{more, longer, due(late, played) - complete[late]};
  }

 private:
  static TimePoint completed_before(const std::vector<TimePoint>& complete) {
    return complete.empty() ? TimePoint{} : complete.back();
  }
  static TimePoint may_begin(const SegmentRecord& s, std::size_t buffer, const std::vector<TimePoint>& played) {
    const TimePoint published = s.published.value_or(TimePoint{});
    const std::size_t i = to_index(s.segment);
    return i < buffer ? published : std::max(published, played[i - buffer]);
  }
  TimePoint due(std::size_t segment, const std::vector<TimePoint>& played) const {
    return played[segment - 1] + record_.table().duration(static_cast<SegmentIndex>(segment - 1));
  }

  const SessionRecord& record_;
  std::size_t buffer_;
  std::vector<Duration> transfer_;
  std::vector<TimePoint> complete_, played_;
};

std::optional<remedy::MoreBuffer> more_buffer(const SessionRecord& record, const SessionOptions& options,
                                              const SegmentRecord& segment) {
  if (!may_have_more_buffer(options)) return std::nullopt;
  const TransferQueue queue{record, options.buffer_segments};
  for (std::uint32_t more = 1; more <= kMostMoreBuffer; ++more) {
    const auto found = queue.with_more(more, segment.segment);
    if (found && found->in_time_by >= Duration{}) return found;
  }
  return std::nullopt;
}

}  // namespace

bool may_have_more_buffer(const SessionOptions& options) {
  return options.mode != StreamingMode::kLiveUnbuffered &&  // there the buffer is one segment
         options.playout == PlayoutSource::kAssumed && options.startup_segments == 0;
}

Remedy find_remedy(const SessionRecord& record, const LinkService& service, const SessionOptions& options,
                   const SegmentRecord& segment, const std::vector<RangeHistory>& ranges) {
  const auto late = late_ranges(ranges, *segment.due);
  if (!late.empty()) {
    if (const auto found = other_link(record, service, segment, late)) return *found;
    if (const auto found = lower_quality(record, segment, ranges)) return *found;
  }
  if (const auto found = more_buffer(record, options, segment)) return *found;
  return remedy::None{segment.carried_until_due, size_in(record, segment.segment, QualityIndex{0})};
}

}  // namespace tributary
