#include "core/requests/outstanding_requests.hh"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace tributary {

void OutstandingRequests::add(const OutstandingRequest& request) {
  assert(requests_.empty() || requests_.back().id < request.id);
  requests_.push_back(request);
  ++sent_since_idle_[request.link];
}

void OutstandingRequests::remove(RequestId id) {
  const auto it = std::ranges::find(requests_, id, &OutstandingRequest::id);
  assert(it != requests_.end());
  const LinkId link = it->link;
  requests_.erase(it);
  if (count(link) == 0) sent_since_idle_.erase(link);
}

void OutstandingRequests::has_no_end(const OutstandingRequest& failed) {
  const auto of_this_part = [&](const OutstandingRequest& request) {
    return request.segment == failed.segment && request.part == failed.part && !request.abandoned;
  };
  for (OutstandingRequest& request : requests_) {
    if (request.takes_over == failed.id) request.takes_over = failed.takes_over;
    if (!request.taken_over_from || !of_this_part(request)) continue;
    request.taken_over_from.reset();
    for (const OutstandingRequest& later : requests_) {
      if (later.id <= request.id || !of_this_part(later) || intersection(later.range, request.range).empty()) continue;
      request.taken_over_from = std::min(request.taken_over_from.value_or(later.range.begin), later.range.begin);
    }
  }
}

ByteSet OutstandingRequests::asked_for(SegmentIndex segment, std::uint32_t part) const {
  ByteSet bytes;
  for (const OutstandingRequest& request : requests_) {
    if (request.segment == segment && request.part == part && !request.abandoned && !request.left().empty())
      bytes.add(request.left());
  }
  return bytes;
}

bool OutstandingRequests::wants(SegmentIndex segment, std::uint32_t part, ByteRange range) const {
  return std::ranges::any_of(requests_, [&](const OutstandingRequest& request) {
    return !request.abandoned && request.segment == segment && request.part == part && request.range == range;
  });
}

std::uint32_t OutstandingRequests::sent_since_idle(LinkId link) const {
  const auto it = sent_since_idle_.find(link);
  return it == sent_since_idle_.end() ? 0 : it->second;
}

DataSize OutstandingRequests::bytes_left() const {
  DataSize total;
  for (const OutstandingRequest& request : requests_) {
    if (!request.takes_over) total += request.left().size();
  }
  return total;
}

DataSize OutstandingRequests::abandoned_bytes() const {
  DataSize total;
  for (const OutstandingRequest& request : requests_) {
    if (request.abandoned) total += request.left().size();
  }
  return total;
}

DataSize OutstandingRequests::wanted_bytes(SegmentIndex segment) const {
  DataSize total;
  for (const OutstandingRequest& request : requests_) {
    if (request.segment == segment && !request.abandoned) total += request.left().size();
  }
  return total;
}

DataSize OutstandingRequests::abandoned_bytes(LinkId link) const {
  DataSize total;
  for (const OutstandingRequest& request : requests_) {
    if (request.link == link && request.abandoned) total += request.left().size();
  }
  return total;
}

void OutstandingRequests::end_part(const OutstandingRequest& from, DataSize size) {
  const auto [id, segment, part, abandoned] = std::tuple{from.id, from.segment, from.part, from.abandoned};
  for (OutstandingRequest& request : requests_) {
    const bool of_this_part = !abandoned && !request.abandoned && request.segment == segment && request.part == part;
    if (request.id != id && !of_this_part) continue;
    // Two whole answers may be of two versions: the one that told the size is kept.
    if (request.to_the_end && request.id != id) request.abandoned = true;
    const DataSize end = request.to_the_end ? size : std::min(request.range.end, size);
    request.range.end = std::max(end, request.range.begin + request.received);
  }
}

}  // namespace tributary
