#pragma once

#include <string>

#include "proxy/requests/exchange.hh"

namespace tributary::proxy {

/// The player may choose qualities by the rate at which answers come. FFmpeg's readers, as that of mpv, choose none: a pace
/// would only make them wait.
inline bool measures_rates(const Request& request) {
  const std::string program = request.field("User-Agent").value_or("");
  return !program.starts_with("Lavf/") && !program.starts_with("libmpv") && !program.starts_with("mpv");
}

}  // namespace tributary::proxy
