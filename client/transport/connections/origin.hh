#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tributary::transport {

/// A web server. Two files can come over the same connection if their origins are equal.
struct Origin {
  std::string scheme;  // "http" or "https"
  std::string host;    // name or address in lower case; an IPv6 address in brackets, as "[fe80::1%eth0]"
  std::uint16_t port = 0;

  bool operator==(const Origin&) const = default;
  std::string authority() const;  ///< for the Host field; without the port if it is the scheme's default
  std::string url() const;        ///< "https://example.org"
  /// The host as resolvers know it, without brackets: "fe80::1%eth0".
  std::string address_or_name() const;
  /// The same without an interface of this machine.
  std::string name() const;
};

/// The place of a file: its origin, and the target of requests for it (path and query, percent-encoded).
struct FileLocation {
  Origin origin;
  std::string target;

  bool operator==(const FileLocation&) const = default;
  std::string url() const { return origin.url() + target; }
};

/// A URL that cannot be used. The text quotes the URL and gives the reason.
class UrlError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads an absolute http or https URL. Percent-encodes blanks and non-ASCII characters, drops the fragment, and
/// refuses user names. Throws UrlError.
FileLocation parse_url(const std::string& url);

/// Resolves a URI that stands in a document (relative, from the root, or absolute) against the document's own location
/// (RFC 3986 section 5). The result may have another origin. Throws UrlError.
FileLocation resolve_uri(const FileLocation& document, const std::string& uri);

}  // namespace tributary::transport
