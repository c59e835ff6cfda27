#include "core/requests/answers.hh"

#include "core/session_state.hh"

namespace tributary {

void take_in(const event::ResponseBegan& e, SessionState& s) {
  OutstandingRequest* request = s.book.find(e.request);
  if (request == nullptr) return;
  request->began = true;
  s.links.at(request->link).response_began(*request, s.now);
  if (e.part_size) s.learn_size(*request, *e.part_size);
}

bool take_in(const event::BytesReceived& e, SessionState& s) {
  OutstandingRequest* request = s.book.find(e.request);
  if (request == nullptr) return true;
  s.links.at(request->link).received(*request, e.size, e.paced, s.now);
  s.wait.received(e.size, s.now);
  if (!s.spending.costs.any() || !s.is_spared(request->link)) s.qualities.received(e.size);
  return s.book.receive(*request, e.size, s.now);
}

void take_in(const event::RequestDone& e, SessionState& s) {
  const OutstandingRequest* request = s.book.find(e.request);
  if (request == nullptr) return;
  s.links.at(request->link).request_done(*request, s.now);
  if (request->to_the_end) s.learn_size(*request, request->received);
  s.book.remove(e.request);
}

/// A segment that is being received learns its size from its own answers.
void take_in(const event::SizeTold& e, SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  if (to_index(e.segment) >= table.segment_count() || e.quality > table.highest_quality()) return;
  s.timeline.learn_size(table.parts(e.segment, e.quality).back(), e.size);
}

}  // namespace tributary
