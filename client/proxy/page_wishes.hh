#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "core/links/link_use.hh"
#include "proxy/requests/exchange.hh"

namespace tributary::proxy {

// What a person wants, by the page.
struct OpenWish {
  std::string url;
};
struct LinkWish {
  std::string link;
  LinkUse use{};
};
struct CloseWish {
  std::size_t number = 0;
};
/// One that cannot be carried out, with the answer to it.
struct BadWish {
  unsigned status = 400;
  std::string why;
};
using PageWish = std::variant<OpenWish, LinkWish, CloseWish, BadWish>;

/// Reads a POST of the page.
PageWish read_wish(const Request& request);

}  // namespace tributary::proxy
