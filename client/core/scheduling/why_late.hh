#pragma once

#include <string>

namespace tributary {

struct SessionState;

/// Which bytes and links the oldest incomplete segment waits for, as the end of a sentence; empty if there is none.
std::string why_late(const SessionState& s);

}  // namespace tributary
