#pragma once

#include <string>

#include "presentation/presentation.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::play {

/// Quantities, in the user's language.

/// "12:34", "1:02:03".
std::string clock_text(Duration time);
/// "2.3 s", "48 s", "3 min".
std::string span_text(Duration span);
/// "3.9 Mbit/s", "640 kbit/s".
std::string rate_text(DataRate rate);
std::string size_text(DataSize size);
std::string percent_text(double fraction);
/// In the language's way to write numbers.
std::string number_text(double number, int decimals);
/// Its name, or "Chapter 3". `number`: from 0.
std::string chapter_text(const Chapter& chapter, std::size_t number);
/// "1.25×".
std::string speed_text(double speed);

}  // namespace tributary::play
