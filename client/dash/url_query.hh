#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tributary::dash {

/// A query that addresses of segments get (UrlQueryInfo, ISO/IEC 23009-1 Annex I): tokens, mostly.
struct UrlQuery {
  std::string stated;   // "a=1&b=2", without a question mark
  bool of_mpd = false;  // and behind it the query of the address of the MPD

  bool operator==(const UrlQuery&) const = default;
};

/// A query as it may stand in an address: a mark that would begin a fragment, a blank, and what is not printable ASCII are
/// percent-encoded.
std::string query_text(std::string_view stated);

/// The address of a segment or init segment, with its queries behind its own. `document` is the address of the MPD. An
/// address that holds its file (`data:`) gets none.
std::string with_queries(std::string address, std::span<const UrlQuery> queries, std::string_view document);

}  // namespace tributary::dash
