#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/requests/fields.hh"

namespace tributary::proxy {

/// The head of an answer, with the empty line. A field whose name or value could not stand in one line is left out:
/// values come from origins (header injection).
std::string response_head(unsigned status, const Fields& fields);

/// Fields that only the server sets; a handler's are dropped.
bool is_of_server(std::string_view name);

/// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 section 5.6.7).
std::string http_date(std::int64_t seconds_since_1970);

/// What pages of others may do with an answer: read all of it, and see when its bytes came. `page` is the origin that
/// was let in (access.hh).
void add_sharing(Fields& fields, const std::optional<std::string>& page);

/// The fields of an answer to OPTIONS. `asks_for_local`: Access-Control-Request-Private-Network was sent.
Fields preflight_fields(const std::optional<std::string>& page, bool asks_for_local);

/// Whether the value of If-None-Match has this ETag, or any (RFC 9110 section 13.1.2: weakly compared).
bool has_etag(std::string_view if_none_match, std::string_view etag);

}  // namespace tributary::proxy
