#include "dash/url_query.hh"

namespace tributary::dash {
namespace {

std::string_view query_of(std::string_view address) {
  address = address.substr(0, address.find('#'));
  const std::size_t mark = address.find('?');
  return mark == std::string_view::npos ? std::string_view{} : address.substr(mark + 1);
}

void append_query(std::string& address, std::string_view query) {
  if (query.empty()) return;
  address += address.find('?') == std::string::npos ? '?' : '&';
  address += query;
}

}  // namespace

std::string with_queries(std::string address, std::span<const UrlQuery> queries, std::string_view document) {
  for (const UrlQuery& query : queries) {
    append_query(address, query.stated);
    if (query.of_mpd) append_query(address, query_of(document));
  }
  return address;
}

}  // namespace tributary::dash
