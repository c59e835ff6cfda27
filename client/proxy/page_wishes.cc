#include "proxy/page_wishes.hh"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "units/text/web_address.hh"

namespace tributary::proxy {
namespace {

std::optional<LinkUse> use_from(const std::string& name) {
  const auto names = names_of(LinkUse{});
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<LinkUse>(found - names.begin());
}

}  // namespace

PageWish read_wish(const Request& request) {
  const auto wish = nlohmann::json::parse(request.body, nullptr, false);
  if (!wish.is_object()) return BadWish{400, "The request is no JSON object."};
  const auto text = [&](const char* name) {
    const auto found = wish.find(name);
    return found != wish.end() && found->is_string() ? found->get<std::string>() : std::string{};
  };
  if (request.target == "/open") return OpenWish{with_scheme(text("url"))};
  if (request.target == "/link") {
    const auto use = use_from(text("use"));
    if (use && !text("name").empty()) return LinkWish{text("name"), *use};
    return BadWish{400, "\"name\" is a link, \"use\" is use, when-needed or do-not-use."};
  }
  if (request.target == "/close") {
    const auto number = wish.find("number");
    if (number != wish.end() && number->is_number_unsigned()) return CloseWish{number->get<std::size_t>()};
    return BadWish{400, "\"number\" is missing."};
  }
  return BadWish{404, "There is no such wish."};
}

}  // namespace tributary::proxy
