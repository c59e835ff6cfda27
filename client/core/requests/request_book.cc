#include "core/requests/request_book.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

// How long a link may be busy with unwanted bytes. They cannot be called off: an answer that has begun comes to its
// end, or the connection does. A new connection costs about as much: two or three round trips until it answers (one
// more with TLS), and as many again until it is as fast as the old one was. Most often little is outstanding (depth 2,
// 100 kB: 0.4 s at 4 Mbit/s), and waiting is better. A slow or silent link would keep a whole segment waiting.
constexpr Duration kDrainAtMost = 500ms;

}  // namespace

SegmentAssembly* RequestBook::find_segment(SegmentIndex index) {
  const auto found = std::ranges::find(segments_, index, &SegmentAssembly::segment);
  return found == segments_.end() ? nullptr : &*found;
}

// ---- Segments

SegmentAssembly RequestBook::begin(SegmentIndex segment, QualityIndex quality, const SegmentTable& table) {
  std::vector<PartSize> sizes;
  bool comes_whole = whole_parts_;
  const auto add_parts = [&](const std::vector<SegmentPart>& parts) {
    for (const SegmentPart& part : parts) {
      sizes.emplace_back(part.size(), part.resource.estimated, table.error_of_estimate(part));
      comes_whole = comes_whole || part.resource.piece;
    }
  };
  const SegmentIndex stretch = table.stretch_begin(segment);
  const SegmentIndex* const by = init_parts_.brought_by(quality, stretch);
  const bool comes_later = by != nullptr && *by > segment && find_segment(*by) != nullptr;
  if (by == nullptr || comes_later) {
    add_parts(table.init_parts(segment, quality));
    init_parts_.bring(quality, stretch, segment);
  }
  const auto init_parts = static_cast<std::uint32_t>(sizes.size());
  add_parts(table.parts(segment, quality));
  SegmentAssembly begun{segment, quality, sizes, init_parts};
  if (comes_whole) begun.give_out_whole();
  return begun;
}

void RequestBook::ask_for_whole_parts() {
  if (std::exchange(whole_parts_, true)) return;
  for (SegmentAssembly& segment : segments_) segment.give_out_whole();
}

void RequestBook::add(SegmentAssembly segment) {
  segments_.push_back(std::move(segment));
  if (otherwise_ && otherwise_->segment == segments_.back().segment())
    segments_.back().comes_otherwise(otherwise_->here, otherwise_->until);
}

void RequestBook::comes_otherwise(SegmentIndex segment, DataSize here, DataSize until) {
  SegmentAssembly* before = otherwise_ && otherwise_->segment != segment ? find_segment(otherwise_->segment) : nullptr;
  if (before != nullptr) before->comes_otherwise(otherwise_->here, otherwise_->here);
  otherwise_ = {segment, here, until};
  if (SegmentAssembly* begun = find_segment(segment)) begun->comes_otherwise(here, until);
}

std::optional<SegmentIndex> RequestBook::take_complete_front() {
  if (segments_.empty() || !segments_.front().complete()) return std::nullopt;
  const SegmentIndex segment = segments_.front().segment();
  segments_.pop_front();
  return segment;
}

std::vector<SegmentIndex> RequestBook::take_complete() {
  std::vector<SegmentIndex> complete;
  for (const SegmentAssembly& segment : segments_) {
    if (segment.complete()) complete.push_back(segment.segment());
  }
  if (!complete.empty()) std::erase_if(segments_, [](const SegmentAssembly& segment) { return segment.complete(); });
  return complete;
}

bool RequestBook::drop_all_but(SegmentIndex first_wanted, bool keep, ActionQueue& actions) {
  auto wanted = segments_.end();
  if (keep) wanted = std::ranges::find(segments_, first_wanted, &SegmentAssembly::segment);
  const bool found = wanted != segments_.end();
  for (auto dropped = segments_.begin(); dropped != wanted; ++dropped) {
    init_parts_.forget(dropped->segment(), dropped->quality());  // they did not come
    actions.push(action::DropSegment{dropped->segment()});
  }
  segments_.erase(segments_.begin(), wanted);
  return found;
}

bool RequestBook::give_up(SegmentIndex segment) {
  const auto found = std::ranges::find(segments_, segment, &SegmentAssembly::segment);
  if (found == segments_.end()) return false;
  init_parts_.forget(segment, found->quality());
  segments_.erase(found);
  return true;
}

void RequestBook::drop_for_another_quality(const SegmentAssembly& segment, ActionQueue& actions) {
  init_parts_.forget(segment.segment(), segment.quality());
  for (const OutstandingRequest& request : outstanding_.all()) {
    if (request.segment == segment.segment()) outstanding_.abandon(request.id);
  }
  actions.push(action::DropSegment{segment.segment()});
}

bool RequestBook::brings_what_others_need(const SegmentAssembly& segment) const {
  return init_parts_.brings(segment.segment(), segment.quality()) &&
         std::ranges::any_of(segments_, [&](const SegmentAssembly& other) {
           return other.segment() > segment.segment() && other.quality() == segment.quality();
         });
}

bool RequestBook::lacks_init_parts(const SegmentAssembly& segment, const SegmentTable& table) const {
  return segment.init_parts() == 0 &&
         init_parts_.brought_by(segment.quality(), table.stretch_begin(segment.segment())) == nullptr &&
         !table.init_parts(segment.segment(), segment.quality()).empty();
}

// ---- Requests

void RequestBook::send(LinkId link, const SegmentAssembly& segment, const WantedRange& wanted, std::string reason,
                       std::optional<DataRate> estimate, TimePoint now, ActionQueue& actions,
                       std::optional<RequestId> takes_over) {
  OutstandingRequest request{next_request_,        link, segment.segment(), wanted.part, wanted.range,
                             wanted.wrong_answers, now};
  next_request_ = next(next_request_);
  if (estimate) request.expected = (outstanding_.bytes_left(link) + wanted.range.size()) / *estimate;
  request.takes_over = takes_over;
  const bool afresh = segment.comes_whole() && wanted.range == ByteRange{DataSize{}, segment.part_size(wanted.part)};
  const bool open = !segment.size_is_known(wanted.part);
  request.to_the_end = afresh && open;
  outstanding_.add(request);
  actions.push(action::SendRequest{request.id, link, segment.segment(), wanted.part, wanted.range, estimate,
                                   std::move(reason), takes_over, afresh, open});
}

void RequestBook::learn_size(const OutstandingRequest& from, DataSize size) {
  if (SegmentAssembly* segment = from.abandoned ? nullptr : find_segment(from.segment);
      segment != nullptr && !segment->size_is_known(from.part))
    segment->learn_size(from.part, size);
  outstanding_.end_part(from, size);
}

void RequestBook::take_over(RequestId request, ByteRange range) {
  outstanding_.find(request)->taken_over_from = range.begin;
  duplicated_ += range.size();
}

bool RequestBook::receive(OutstandingRequest& request, DataSize size, TimePoint now) {
  if (request.to_the_end && size > request.left().size()) {
    request.range.end = request.range.begin + request.received + size;
    if (SegmentAssembly* grown = request.abandoned ? nullptr : find_segment(request.segment))
      grown->reaches(request.part, request.range.end);
  }
  const ByteRange range{request.left().begin, request.left().begin + size};
  assert(request.left().contains(range));
  request.received += size;
  request.last_byte = now;
  received_ += size;
  SegmentAssembly* segment = request.abandoned ? nullptr : find_segment(request.segment);
  if (segment == nullptr) return false;
  segment->receive(request.part, range, request.to_the_end);
  return segment->complete();
}

void RequestBook::want_again(const OutstandingRequest& failed, std::uint32_t wrong_answers) {
  SegmentAssembly* segment = find_segment(failed.segment);
  if (segment == nullptr) return;
  if (!segment->comes_whole()) {
    outstanding_.has_no_end(failed);
    duplicated_ -= failed.left().size();
    for (const ByteRange& owed : outstanding_.asked_for(failed.segment, failed.part).gaps_in(failed.left())) {
      duplicated_ += owed.size();
      segment->give_back({failed.part, owed, failed.link, wrong_answers});
    }
    return;
  }
  if (outstanding_.wants(failed.segment, failed.part, {DataSize{}, segment->part_size(failed.part)})) return;
  for (const OutstandingRequest& other : outstanding_.all()) {
    if (other.segment == failed.segment && other.part == failed.part) outstanding_.abandon(other.id);
  }
  segment->restart_part(failed.part, failed.link, wrong_answers);
}

void RequestBook::abandon_what_is_not_wanted(std::span<const LinkNow> links, ActionQueue& actions) {
  for (const OutstandingRequest& request : outstanding_.all()) {
    if (find_segment(request.segment) == nullptr) outstanding_.abandon(request.id);
  }
  for (const LinkNow& link : links) {
    const DataSize owed = outstanding_.abandoned_bytes(link.link);
    if (owed == DataSize{}) continue;
    if (link.rate && link.silent + owed / *link.rate <= kDrainAtMost) continue;
    const std::string takes =
        link.rate ? fmt::format(", and take {:.3f} s", to_seconds(link.silent + owed / *link.rate)) : "";
    abandon(link.link, fmt::format("{} bytes are not wanted any more{}", owed.bytes(), takes), actions);
  }
}

// ---- What follows from it

bool RequestBook::started_all_asked_for() const {
  return std::ranges::none_of(segments_, [](const SegmentAssembly& s) { return s.next_new().has_value(); });
}

bool RequestBook::all_sizes_are_known() const {
  return std::ranges::all_of(segments_, &SegmentAssembly::all_sizes_are_known);
}

bool RequestBook::has_given_back() const {
  return std::ranges::any_of(segments_, [](const SegmentAssembly& segment) { return !segment.given_back().empty(); });
}

DataSize RequestBook::bytes_to_come() const {
  DataSize total = outstanding_.bytes_left();
  for (const SegmentAssembly& segment : segments_) total += segment.given_back_bytes() + segment.new_bytes();
  return total;
}

Duration under_way(const RequestBook& book, const SegmentTable& table) {
  Duration total{};
  for (const SegmentAssembly& segment : book.segments()) {
    if (!segment.plays()) total += table.duration(segment.segment());
  }
  return total;
}

DuplicatesLeft RequestBook::duplicates_left() const {
  const DataSize in_all = scale(received_, duplicates_percent_ / 100.0);
  const DataSize left = std::max(in_all - duplicated_, DataSize{});
  return {left, left > scale(in_all, 1.0 / 3)};
}

}  // namespace tributary
