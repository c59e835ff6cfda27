#include "proxy/rewriting/url_query_info.hh"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "dash/url_query.hh"
#include "dash/xml/xml_element.hh"
#include "proxy/rewriting/rewriting_limits.hh"

namespace tributary::proxy {
namespace {

/// The value of a parameter; empty if there is none.
std::string_view parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (pair.substr(0, equals) == name) return pair.substr(std::min(equals + 1, pair.size()));
  }
  return {};
}

/// "$querypart$" and "$query:name$" replaced. Nothing: it has other fields.
std::optional<std::string> filled(std::string_view text, const std::string& query) {
  constexpr std::string_view kParameter = "query:";
  std::string result;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('$'), text.size());
    result += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('$', 1);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view field = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    if (field == "querypart")
      result += query;
    else if (field.starts_with(kParameter))
      result += parameter(query, field.substr(kParameter.size()));
    else
      return std::nullopt;
    if (result.size() > kLongestAddress) return std::nullopt;
  }
  return result;
}

void set_attribute(pugi::xml_node element, const char* name, const std::string& value) {
  while (element.remove_attribute(name)) {  // which may stand twice, though XML forbids that
  }
  element.append_attribute(name).set_value(value.c_str());
}

}  // namespace

bool is_url_query_info(pugi::xml_node element) {
  const std::string_view name = dash::local_name(element);
  return name == "UrlQueryInfo" || name == "ExtUrlQueryInfo";
}

std::optional<std::string> rewrite_url_query_info(pugi::xml_node element, const std::string& of_mpd,
                                                  LocalNames& names) {
  const auto stated = [&](const char* name) { return dash::trimmed(element.attribute(name).value()); };
  std::string query{stated("queryString")};
  const std::string_view use_query_of_mpd = stated("useMPDUrlQuery");
  if ((use_query_of_mpd == "true" || use_query_of_mpd == "1") && !of_mpd.empty())
    query += (query.empty() ? "" : "&") + of_mpd;
  const auto added = filled(stated("queryTemplate"), query);
  if (!added || added->empty()) return std::nullopt;
  // Written as an address has it.
  const auto address = resolved({"http://local", "/", {}}, "?" + dash::query_text(*added));
  if (!address || address->query.empty()) return std::nullopt;
  set_attribute(element, "queryTemplate", "$querypart$");
  set_attribute(element, "useMPDUrlQuery", "false");
  set_attribute(element, "queryString", fmt::format("{}", names.number_of_query(address->query)));
  return address->query;
}

}  // namespace tributary::proxy
