#include "dash/reading/url_query_reader.hh"

namespace tributary::dash {

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
      queries.push_back({query_text(info->text("queryString", kLongestUrl).value_or("")),
                         info->truth("useMPDUrlQuery").value_or(false)});
    });
  }
  return queries;
}

}  // namespace tributary::dash
