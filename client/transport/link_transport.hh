#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"
#include "transport/pipelined_transport.hh"
#include "units/alternative_addresses.hh"

namespace tributary::transport {

/// The transport of a real link: connections to the origin, at the addresses that resolve() gave, bound to the link.
/// The loop must outlive the transport. Throws UrlError if the origin does not allow the rules: HTTP/2 needs https.
std::unique_ptr<HttpTransport> make_link_transport(CurlLoop& loop, Origin origin, std::vector<std::string> addresses,
                                                   LinkRules rules, PipelinedTransport::Options options = {});

/// A transport that also follows redirections, and asks at alternative addresses (redirected_transport.hh).
std::unique_ptr<HttpTransport> make_following_transport(CurlLoop& loop, Origin origin,
                                                        std::vector<std::string> addresses, LinkRules rules,
                                                        PipelinedTransport::Options options = {},
                                                        AlternativeAddresses alternatives = {});

}  // namespace tributary::transport
