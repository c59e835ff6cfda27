#pragma once

#include <string>
#include <string_view>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Quantities as people write them: a decimal number and a unit, nothing between but optional blanks.
/// Anything else throws std::invalid_argument, whose text quotes the input and lists what is expected.
///   sizes      100kB  1.5MB  400B  64KiB     (k = 1000, Ki = 1024)
///   rates      1.5Mbps  750k  3000kbit/s  2Mbit/s  64000     (no unit: bit/s)
///   durations  2s  10ms  1.5s  250us  2min
DataSize parse_size(std::string_view text);
DataRate parse_rate(std::string_view text);
Duration parse_duration(std::string_view text);
/// "5%" or "0.05": a fraction from 0 to 1.
double parse_fraction(std::string_view text);

/// For people: three significant digits and the fitting unit, "1.50 Mbit/s", "754 kB", "12.3 s".
std::string format_size(DataSize size);
std::string format_rate(DataRate rate);
std::string format_duration(Duration duration);

}  // namespace tributary
