#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tributary::transport {

/// A web server: what has to be equal for two files to come over the same connection.
struct Origin {
  std::string scheme;  // "http" or "https"
  std::string host;    // name or address in lower case; an IPv6 address in brackets
  std::uint16_t port = 0;

  bool operator==(const Origin&) const = default;
  std::string authority() const;  ///< for the Host field: the port only if it is not the scheme's own
  std::string url() const;        ///< "https://example.org"
};

/// Where a file is: its origin, and the target of requests for it (path and query, percent-encoded).
struct FileLocation {
  Origin origin;
  std::string target;

  bool operator==(const FileLocation&) const = default;
  std::string url() const { return origin.url() + target; }
};

/// A URL that cannot be used. The text quotes it and says why.
class UrlError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An absolute http or https URL. Blanks and non-ASCII characters are percent-encoded, fragments dropped;
/// user names are refused. Throws UrlError.
FileLocation parse_url(const std::string& url);

/// A URI as it stands in a document (relative, from the root, or absolute), resolved against the document's
/// own location (RFC 3986 section 5). The result may have another origin. Throws UrlError.
FileLocation resolve_uri(const FileLocation& document, const std::string& uri);

}  // namespace tributary::transport
