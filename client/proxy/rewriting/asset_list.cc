#include "proxy/rewriting/asset_list.hh"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "manifests/manifest.hh"
#include "presentation/json/json_node.hh"
#include "proxy/rewriting/rewriting_limits.hh"

namespace tributary::proxy {

std::string rewrite_asset_list(const std::string& text, const Base& document, NameWriter& writer) {
  if (text.size() > kMostAssetList)
    throw ManifestError{fmt::format("this list of assets has more than {} bytes", kMostAssetList)};
  nlohmann::json list = parse_json(text);
  const auto assets = list.is_object() ? list.find("ASSETS") : list.end();
  if (assets == list.end() || !assets->is_array()) return text;
  for (nlohmann::json& asset : *assets) {
    const auto uri = asset.is_object() ? asset.find("URI") : asset.end();
    if (uri == asset.end() || !uri->is_string() || uri->get_ref<const std::string&>().empty()) continue;
    *uri = writer.file(document, uri->get_ref<const std::string&>(), {FileKind::kManifest});
  }
  return list.dump();
}

}  // namespace tributary::proxy
