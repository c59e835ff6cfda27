#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"
#include "transport/pipelined_transport.hh"

namespace tributary::transport {

/// The transport of a real link: connections to the origin, at the addresses that resolve() gave, bound to
/// the link. The loop must outlive it. Throws UrlError if the rules cannot be kept with this origin.
std::unique_ptr<HttpTransport> make_link_transport(CurlLoop& loop, Origin origin, std::vector<std::string> addresses,
                                                   LinkRules rules, PipelinedTransport::Options options = {});

/// The same, and follows redirections (redirected_transport.hh).
std::unique_ptr<HttpTransport> make_following_transport(CurlLoop& loop, Origin origin,
                                                        std::vector<std::string> addresses, LinkRules rules,
                                                        PipelinedTransport::Options options = {});

}  // namespace tributary::transport
