#pragma once

#include <string>
#include <string_view>

namespace tributary {

/// The address as programs ask for it. Without a scheme, `text` means http on a host of this machine or of the local
/// network, and https elsewhere, as browsers have it. Text with a scheme stays as it is; nothing is refused.
std::string with_scheme(std::string_view text);

/// Whether a host, as it stands in an address, is one of this machine or of the local network: a name without a dot,
/// localhost, *.local and *.home.arpa (RFC 6762, RFC 8375), or a private or link-local address.
bool is_on_local_network(std::string_view host);

}  // namespace tributary
