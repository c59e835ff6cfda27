#include "manifests/hls_keys.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "manifests/listed_track.hh"
#include "manifests/manifest.hh"
#include "units/redacted_url.hh"

namespace tributary {

void HlsKeys::fetch(const hls::MediaPlaylist& playlist, const std::string& url) {
  std::vector<WantedFile> wanted;
  std::vector<std::string> addresses;
  for (const hls::EncryptionKey& key : playlist.keys) {
    if (!key.is_plain_aes128()) continue;
    std::string address = absolute_url(url, key.uri);
    if (keys_.contains(address) || std::ranges::find(addresses, address) != addresses.end()) continue;
    wanted.push_back({address, std::nullopt});
    addresses.push_back(std::move(address));
  }
  if (wanted.empty()) return;
  const std::vector<FetchedFile> files = fetch_(wanted);
  for (std::size_t i = 0; i < files.size(); ++i) {
    hls::Block key{};
    if (files[i].bytes.size() != key.size())
      throw ManifestError{fmt::format("{}: a key of AES-128 has 16 bytes, and this one has {}", redacted(addresses[i]),
                                      files[i].bytes.size())};
    std::memcpy(key.data(), files[i].bytes.data(), key.size());
    keys_.emplace(addresses[i], key);
  }
}

std::optional<Cipher> HlsKeys::of(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment,
                                  const std::string& url) const {
  if (!segment.key) return std::nullopt;
  const hls::EncryptionKey& key = playlist.keys[*segment.key];
  return Cipher{keys_.at(absolute_url(url, key.uri)), hls::initialization_vector(key, segment.sequence)};
}

std::optional<Cipher> HlsKeys::of(const hls::MediaPlaylist& playlist, const hls::InitSection& map,
                                  const std::string& url) const {
  if (!map.key) return std::nullopt;
  const hls::EncryptionKey& key = playlist.keys[*map.key];
  return Cipher{keys_.at(absolute_url(url, key.uri)), key.iv.value_or(hls::Block{})};
}

}  // namespace tributary
