#pragma once

#include <string>

#include "proxy/rewriting/name_writer.hh"

namespace tributary::proxy {

/// What X-ASSET-LIST of HLS leads to: the parts of an interstitial, as JSON (draft-pantos-hls-rfc8216bis, appendix D.2),
/// with local names at ASSETS[].URI. Each of these is announced as a manifest. All other members keep their values, and need
/// not be known. Throws IndexError for a text that is no JSON, with the place, and ManifestError beyond a bound.
std::string rewrite_asset_list(const std::string& text, const Base& document, NameWriter& writer);

}  // namespace tributary::proxy
