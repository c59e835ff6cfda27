#pragma once

#include <string>
#include <string_view>

#include "proxy/requests/exchange.hh"

namespace tributary::proxy {

/// The player may choose qualities by the rate at which answers come. FFmpeg's readers, which mpv and many others use, choose
/// none: to hold their answers back only makes them wait.
inline bool measures_rates(const Request& request) {
  const std::string program = request.field("User-Agent").value_or("");
  return !program.starts_with("Lavf/") && !program.starts_with("libmpv") && !program.starts_with("mpv");
}

}  // namespace tributary::proxy
