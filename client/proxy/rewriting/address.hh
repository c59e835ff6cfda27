#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tributary::proxy {

/// The absolute http or https address of a file, written in one way: whatever may not stand in it is percent-encoded,
/// and dot segments are resolved, also those that are percent-encoded. Players ask for a name in the same way.
struct Address {
  std::string origin;  // "https://cdn.example"
  std::string path;    // begins with "/"
  std::string query;   // without the "?"; empty: there is none

  std::string url() const;
  /// The path up to its last "/".
  std::string_view folder() const { return std::string_view{path}.substr(0, path.rfind('/') + 1); }

  bool operator==(const Address&) const = default;
};

/// Whether a name that stands in a manifest is of another scheme than http and https: "data:", "skd:".
bool is_of_another_scheme(std::string_view name);

/// Nothing: the text is no such address, names a user, or is longer than kLongestAddress.
std::optional<Address> address_from(std::string_view url);

/// Resolves a name that stands in a document (RFC 3986 section 5). Nothing: as for address_from, and for another scheme.
std::optional<Address> resolved(const Address& document, std::string_view name);

/// A path from its "/" on, as an address has it.
std::string plain_path(std::string_view path);

/// Whether each character may stand in a path or query, so that players leave it as it is.
bool is_plain_text(std::string_view text);

}  // namespace tributary::proxy
