#pragma once

#include <string>

#include "links/way.hh"

namespace tributary {

/// Reads "http://HOST:PORT", "https://...", "socks5://..." or "socks5h://...", with USER:PASSWORD@ before the host if there
/// is a login, and looks the host up. Without a scheme it is http, and without a port 1080 or, for https, 443, as with curl.
/// Throws std::invalid_argument.
ConnectProxy read_proxy_address(const std::string& text);

}  // namespace tributary
