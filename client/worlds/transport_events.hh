#pragma once

#include <deque>

#include "core/world.hh"
#include "transport/http_transport.hh"

namespace tributary {

/// Says what happened on a link's transport in the words of the core, and appends it.
void append_events(std::deque<TimedEvent>& happened, const transport::Event& event, LinkId link,
                   const transport::HttpTransport& transport, TimePoint now);

}  // namespace tributary
