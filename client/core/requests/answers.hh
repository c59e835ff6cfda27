#pragma once

#include "core/event.hh"

namespace tributary {

struct SessionState;

/// The consequences of an answer: it measures its link, and the request book counts its bytes. Requests that are not
/// outstanding change nothing. failed_requests.hh has answers that fail.
void take_in(const event::ResponseBegan& e, SessionState& s);
/// True if the bytes complete a segment, or belong to no request: then every stage of the session looks.
bool take_in(const event::BytesReceived& e, SessionState& s);
void take_in(const event::RequestDone& e, SessionState& s);
/// Estimates of other sizes follow from it.
void take_in(const event::SizeTold& e, SessionState& s);

}  // namespace tributary
