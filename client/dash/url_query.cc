#include "dash/url_query.hh"

#include <fmt/format.h>

#include <algorithm>

#include "units/text/data_address.hh"

namespace tributary::dash {
namespace {

std::string_view query_of(std::string_view address) {
  address = address.substr(0, address.find('#'));
  const std::size_t mark = address.find('?');
  return mark == std::string_view::npos ? std::string_view{} : address.substr(mark + 1);
}

/// In front of a fragment.
void append_query(std::string& address, std::string_view query) {
  if (query.empty()) return;
  const std::size_t end = std::min(address.find('#'), address.size());
  const bool has_one = std::string_view{address}.substr(0, end).find('?') != std::string_view::npos;
  address.insert(end, std::string{has_one ? '&' : '?'}.append(query));
}

}  // namespace

std::string query_text(std::string_view stated) {
  std::string text;
  for (const char c : stated) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte >= 0x7f || c == '#')
      text += fmt::format("%{:02x}", byte);
    else
      text += c;
  }
  return text;
}

std::string with_queries(std::string address, std::span<const UrlQuery> queries, std::string_view document) {
  if (is_data_address(address)) return address;
  for (const UrlQuery& query : queries) {
    append_query(address, query.stated);
    if (query.of_mpd) append_query(address, query_of(document));
  }
  return address;
}

}  // namespace tributary::dash
