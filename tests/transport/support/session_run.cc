#include "session_run.hh"

namespace tributary::transport {

void SessionRun::ask(const RangeRequest& request) {
  log_.submitted(request);
  waiting_.push_back(request);
  submit_waiting();
}

void SessionRun::submit_waiting() {
  while (!waiting_.empty() && session_.accepts_request()) {
    session_.submit(waiting_.front());
    waiting_.erase(waiting_.begin());
  }
}

void SessionRun::receive(std::string_view bytes) {
  session_.on_bytes(std::as_bytes(std::span{bytes}), {});
  collect();
  submit_waiting();
}

void SessionRun::receive_in_pieces(std::string_view bytes, std::size_t piece) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) receive(bytes.substr(0, piece));
}

void SessionRun::end(StreamStatus how) {
  session_.on_end(how);
  collect();
}

void SessionRun::collect() {
  while (const auto event = session_.next_event()) log_.add(*event);
}

std::string SessionRun::sent() {
  std::string bytes{session_.output()};
  session_.output_sent(bytes.size());
  return bytes;
}

}  // namespace tributary::transport
