#include "apps/bench/network_run.hh"

#include "apps/common/first_link.hh"
#include "transport/document_fetch.hh"
#include "transport/origin_addresses.hh"

namespace tributary {

FoundPresentation find_presentation(const BenchOptions& options) {
  FoundPresentation found;
  found.location = transport::parse_url(options.index);
  found.addresses = transport::resolve(found.location.origin);
  over_first_link(options.index, found.addresses, options.links, [&](const std::string& link) {
    transport::Document document =
        transport::fetch_document(options.index, {.link = link, .ca_file = options.ca_file});
    const transport::FileLocation location = transport::parse_url(document.url);
    if (location.origin != found.location.origin) found.addresses = transport::resolve(location.origin);
    found.location = location;
    found.index = std::move(document.text);
  });
  return found;
}

}  // namespace tributary
