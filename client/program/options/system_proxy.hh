#pragma once

#include "links/link_catalogue.hh"

namespace tributary {

/// The proxies that the environment names: http_proxy, https_proxy or HTTPS_PROXY, all_proxy or ALL_PROXY,
/// and for whom there is none in no_proxy or NO_PROXY (hosts with all below them, addresses, networks, or "*"). Throws
/// std::invalid_argument if there is none at all, or one that cannot be used.
LinkCatalogue::ProxyOfOrigin system_proxy();

}  // namespace tributary
