#pragma once

#include <string>

#include "manifests/manifest.hh"
#include "proxy/rewriting/title_files.hh"
#include "support/refusal.hh"

namespace tributary::proxy::samples {

inline constexpr UtcTime kNow{std::chrono::milliseconds{1'704'067'800'000}};  // 2024-01-01T00:10:00Z

/// The words by which the manifest at this address is refused.
inline std::string refusal(const std::string& text, const std::string& url) {
  TitleFiles files{"/1"};
  return tributary::testing::refusal_by<ManifestError>([&] { files.take_in(text, url); });
}

}  // namespace tributary::proxy::samples
