#include "transport/entity_tags.hh"

namespace tributary::transport {

bool EntityTags::agree(const std::string& target, const std::string& etag) {
  if (etag.empty() || etag.starts_with("W/")) return true;
  const auto [known, is_new] = tags_.try_emplace(target, etag);
  const bool same = known->second == etag;
  if (is_new) order_.push_back(target);
  if (order_.size() > kTargets) {
    tags_.erase(order_.front());
    order_.pop_front();
  }
  return same;
}

}  // namespace tributary::transport
