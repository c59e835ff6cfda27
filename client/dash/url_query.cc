#include "dash/url_query.hh"

#include <fmt/format.h>

#include <algorithm>

namespace tributary::dash {
namespace {

std::string_view query_of(std::string_view address) {
  address = address.substr(0, address.find('#'));
  const std::size_t mark = address.find('?');
  return mark == std::string_view::npos ? std::string_view{} : address.substr(mark + 1);
}

void append(std::string& address, std::string_view query) {
  if (query.empty()) return;
  address += address.find('?') == std::string::npos ? '?' : '&';
  address += query;
}

}  // namespace

std::vector<UrlQuery> read_url_queries(const XmlElement& element) {
  std::vector<UrlQuery> queries;
  for (const std::string_view name : {"EssentialProperty", "SupplementalProperty"}) {
    element.each(name, [&](const XmlElement& property) {
      const auto info = property.child("UrlQueryInfo");
      if (!info || property.text("schemeIdUri") != kUrlQueryScheme) return;
      const std::string pattern = info->text("queryTemplate", kLongestUrl).value_or("");
      if (pattern.empty()) return;
      if (pattern != "$querypart$") {
        if (name == "EssentialProperty") info->refuse("\"queryTemplate\" is other than $querypart$");
        return;
      }
      queries.push_back(
          {info->text("queryString", kLongestUrl).value_or(""), info->truth("useMPDUrlQuery").value_or(false)});
    });
  }
  return queries;
}

std::string with_queries(std::string address, std::span<const UrlQuery> queries, std::string_view document) {
  for (const UrlQuery& query : queries) {
    append(address, query.stated);
    if (query.of_mpd) append(address, query_of(document));
  }
  return address;
}

}  // namespace tributary::dash
