#pragma once

#include <optional>
#include <span>
#include <string>

namespace tributary {

/// The text of /etc/resolv.conf while names are looked up at servers of ours. It has in it, as comments, what was there before:
/// so that it can be put back whatever has happened meanwhile, even a loss of power.

/// `before`: as it is now, or was before us.
std::string resolv_conf_of(const std::string& device, std::span<const std::string> servers, const std::string& before);
/// What was there before the tunnel with this device, to the byte. Nothing if the text is not ours.
std::optional<std::string> resolv_conf_before(const std::string& device, const std::string& text);

}  // namespace tributary
