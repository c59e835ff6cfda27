#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"
#include "transport/pipelined_transport.hh"
#include "units/text/alternative_addresses.hh"

namespace tributary::transport {

/// The transport of a real link: connections to the origin, at the addresses that resolve() gave, bound to the link.
/// The loop must outlive the transport. Throws UrlError if the origin does not allow the rules: HTTP/2 needs https.
std::unique_ptr<HttpTransport> make_link_transport(CurlLoop& loop, Origin origin, std::vector<std::string> addresses,
                                                   LinkRules rules, PipelinedTransport::Options options = {});

/// The place to which a redirection of a target has led before, over any link.
struct KnownPlace {
  std::string target;
  FileLocation location;
  std::vector<std::string> addresses;  // of its origin
};

/// A transport that also follows redirections, and asks at alternative addresses (redirected_transport.hh). It asks for
/// the target of `known` at that place first; its pace is that of `options`.
std::unique_ptr<HttpTransport> make_following_transport(CurlLoop& loop, Origin origin,
                                                        std::vector<std::string> addresses, LinkRules rules,
                                                        PipelinedTransport::Options options = {},
                                                        AlternativeAddresses alternatives = {},
                                                        const std::optional<KnownPlace>& known = {});

}  // namespace tributary::transport
