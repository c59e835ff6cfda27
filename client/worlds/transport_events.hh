#pragma once

#include <iterator>

#include "core/world.hh"
#include "transport/http_transport.hh"

namespace tributary {

inline event::BytesReceived bytes_received(const transport::BodyReceived& body) {
  return {body.id, size_of(body.bytes), body.paced};
}

/// Turns an event of a link's transport into events of the core, and appends them to `happened`, a sequence of
/// TimedEvents.
template <typename TimedEvents>
void append_events(TimedEvents& happened, const transport::Event& event, LinkId link,
                   transport::HttpTransport& transport, TimePoint now) {
  if (const auto* body = std::get_if<transport::BodyReceived>(&event)) {
    happened.push_back({now, bytes_received(*body)});
  } else if (const auto* began = std::get_if<transport::ResponseBegan>(&event)) {
    happened.push_back({now, event::ResponseBegan{began->id, began->file_size}});
  } else if (const auto* done = std::get_if<transport::RequestDone>(&event)) {
    if (const auto rtt = transport.take_round_trip())
      happened.push_back({now, event::RoundTripMeasured{link, rtt->smoothed, rtt->least}});
    happened.push_back({now, event::RequestDone{done->id}});
  } else if (const auto* failed = std::get_if<transport::RequestFailed>(&event)) {
    happened.push_back({now, event::RequestFailed{failed->id, failed->reason, failed->detail, failed->retry_after,
                                                  failed->beyond_end}});
  }
}

}  // namespace tributary
