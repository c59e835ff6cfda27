#include "dash/xml/remote_element.hh"

#include <fmt/format.h>

namespace tributary::dash {

bool is_here(const XmlElement& element) {
  const auto link = element.link();
  if (!link) return true;
  if (*link == "urn:mpeg:dash:resolve-to-zero:2013") return false;
  if (!element.has_children()) {
    element.refuse(fmt::format("it stands elsewhere, at {}, and is not fetched from there", link->substr(0, 200)));
  }
  return true;
}

}  // namespace tributary::dash
