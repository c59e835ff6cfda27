#include "worlds/transport_events.hh"

namespace tributary {

void append_events(std::deque<TimedEvent>& happened, const transport::Event& event, LinkId link,
                   const transport::HttpTransport& transport, TimePoint now) {
  if (const auto* began = std::get_if<transport::ResponseBegan>(&event)) {
    happened.emplace_back(now, event::ResponseBegan{began->id});
  } else if (const auto* body = std::get_if<transport::BodyReceived>(&event)) {
    happened.emplace_back(now, event::BytesReceived{body->id, DataSize{std::ssize(body->bytes)}});
  } else if (const auto* done = std::get_if<transport::RequestDone>(&event)) {
    if (const auto rtt = transport.round_trip())
      happened.emplace_back(now, event::RoundTripMeasured{link, rtt->smoothed, rtt->least});
    happened.emplace_back(now, event::RequestDone{done->id});
  } else if (const auto* failed = std::get_if<transport::RequestFailed>(&event)) {
    happened.emplace_back(now, event::RequestFailed{failed->id, failed->reason, failed->detail, failed->retry_after});
  }
}

}  // namespace tributary
