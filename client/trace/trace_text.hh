#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/action.hh"
#include "core/event.hh"
#include "core/session_options.hh"

namespace tributary {

/// Writes events, actions and options as one line of text each, and reads them back without loss:
///   send-request request=12 link=1 segment=3 part=0 range=100000-200000 estimate=1436220.5 reason="the link is idle"
/// Sizes are bytes, rates bit/s, times and durations seconds with nine decimals; "-" is an unknown value. The readers
/// throw std::invalid_argument that names the field.
std::string to_text(const Event& event);
std::string to_text(const Action& action);
std::string to_text(const SessionOptions& options);

Event event_from(std::string_view text);
Action action_from(std::string_view text);
SessionOptions options_from(std::string_view text);

/// "12.345678901"
std::string to_text(TimePoint time);
TimePoint time_from(std::string_view text);

}  // namespace tributary
