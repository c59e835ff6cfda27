#include "worlds/discovery/folder_titles.hh"

#include <fmt/format.h>

#include <algorithm>

namespace tributary {

std::vector<std::string> manifests_in(std::string_view url) {
  const std::size_t behind = std::min(url.find_first_of("?#"), url.size());
  std::string_view folder = url.substr(0, behind);
  const std::size_t scheme = folder.find("://");
  const std::size_t path = folder.find('/', scheme == std::string_view::npos ? 0 : scheme + 3);
  const bool is_file = path != std::string_view::npos && folder.find('.', folder.rfind('/')) != std::string_view::npos;
  if (is_file) return {};
  if (folder.ends_with('/')) folder.remove_suffix(1);
  std::vector<std::string> addresses;
  for (const std::string_view name : kManifestNames)
    addresses.push_back(fmt::format("{}/{}{}", folder, name, url.substr(behind)));
  return addresses;
}

}  // namespace tributary
