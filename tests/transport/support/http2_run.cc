#include "http2_run.hh"

#include <span>

#include "canned_responses.hh"

namespace tributary::transport {

void Http2Run::ask(const RangeRequest& request) {
  log_.submitted(request);
  waiting_.push_back(request);
  submit_waiting();
}

void Http2Run::submit_waiting() {
  while (!waiting_.empty() && session_.accepts_request()) {
    session_.submit(waiting_.front());
    waiting_.erase(waiting_.begin());
  }
}

void Http2Run::to_origin() {
  while (!session_.output().empty()) {
    const std::string bytes{session_.output()};
    session_.output_sent(bytes.size());
    origin.receive(bytes);
  }
}

void Http2Run::talk(bool answers) {
  while (true) {
    to_origin();
    if (answers) origin.answer_all();
    const std::string bytes = origin.send();
    if (bytes.empty()) return;
    receive(bytes);
  }
}

bool Http2Run::receive(std::string_view bytes) {
  const bool alive = session_.on_bytes(std::as_bytes(std::span{bytes}), now);
  collect();
  submit_waiting();
  return alive;
}

void Http2Run::end(StreamStatus how) {
  session_.on_end(how);
  collect();
}

void Http2Run::collect() {
  while (const auto event = session_.next_event()) log_.add(*event);
}

void Http2Run::prove() {
  ask(request(99, 0, 1));
  talk();
}

std::vector<RequestId> Http2Run::handed_back() {
  std::vector<RequestId> ids;
  for (const RangeRequest& request : session_.take_unanswered()) ids.push_back(request.id);
  return ids;
}

}  // namespace tributary::transport
