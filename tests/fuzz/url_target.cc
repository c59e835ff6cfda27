// Addresses as users type them, and as they stand in documents: what is accepted cannot smuggle anything into a request.
#include <string>

#include "fuzz_target.hh"
#include "transport/connections/origin.hh"

using namespace tributary;

namespace {

void check(const transport::FileLocation& location) {
  fuzz::require(location.target.starts_with('/'));
  for (const std::string& text : {location.target, location.origin.authority()}) {
    for (const char c : text) fuzz::require(c > ' ' && c < 0x7f);
  }
  fuzz::require(location.origin.scheme == "http" || location.origin.scheme == "https");
  fuzz::require(transport::parse_url(location.origin.url()).origin == location.origin);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const transport::FileLocation document = transport::parse_url("http://origin.example/movie/index.json");
  const std::string text{fuzz::text(data, size)};
  try {
    check(transport::parse_url(text));
  } catch (const transport::UrlError&) {
  }
  try {
    check(transport::resolve_uri(document, text));
  } catch (const transport::UrlError&) {
  }
  return 0;
}
