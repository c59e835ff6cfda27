#include "transport/entity_tags.hh"

namespace tributary::transport {

bool EntityTags::agree(const std::string& target, const std::string& etag) {
  if (etag.empty() || etag.starts_with("W/")) return true;
  return tags_.try_emplace(target, etag).first->second == etag;
}

}  // namespace tributary::transport
