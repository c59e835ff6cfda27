#pragma once

#include <deque>
#include <string>
#include <unordered_map>

namespace tributary::transport {

/// Remembers the strong ETag of each target and tells when another one is seen: the file was replaced, or two
/// servers behind the origin's name do not hold the same one. (If-Range would turn that into the whole file.) Of very many
/// targets the oldest are forgotten: a live session may last for days.
class EntityTags {
 public:
  static constexpr std::size_t kTargets = 4096;

  /// False if an earlier response for the target had another tag. Weak and absent tags say nothing.
  bool agree(const std::string& target, const std::string& etag);

 private:
  std::unordered_map<std::string, std::string> tags_;
  std::deque<std::string> order_;  // of the targets
};

}  // namespace tributary::transport
