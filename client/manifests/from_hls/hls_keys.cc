#include "manifests/from_hls/hls_keys.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "manifests/listed_track.hh"
#include "manifests/manifest.hh"
#include "units/text/data_address.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

constexpr std::size_t kAtOnce = 16;         // whoever answers may send much more than a key
constexpr std::size_t kMostKeys = 100'000;  // several times those that one playlist may name

hls::Block key_of(const std::string& bytes, const std::string& url) {
  hls::Block key{};
  const bool ends_line = bytes.size() > key.size() && bytes.find_first_not_of("\r\n", key.size()) == std::string::npos;
  if (bytes.size() != key.size() && !ends_line)
    throw ManifestError{
        fmt::format("{}: a key of AES-128 has 16 bytes, and this one has {}", redacted(url), bytes.size())};
  std::memcpy(key.data(), bytes.data(), key.size());
  return key;
}

}  // namespace

std::vector<WantedFile> HlsKeys::missing(const hls::MediaPlaylist& playlist, const std::string& url) const {
  std::vector<WantedFile> wanted;
  std::set<std::string> asked;
  for (const hls::EncryptionKey& key : playlist.keys) {
    if (!key.is_plain_aes128()) continue;
    std::string address = absolute_url(url, key.uri);
    if (!is_data_address(address) && !keys_.contains(address) && asked.insert(address).second)
      wanted.push_back({std::move(address), std::nullopt});
  }
  return wanted;
}

void HlsKeys::add(const std::string& url, const std::string& bytes) { keys_.insert_or_assign(url, key_of(bytes, url)); }

void HlsKeys::forget_if_many() {
  if (keys_.size() >= kMostKeys) keys_.clear();
}

void HlsKeys::fetch(const hls::MediaPlaylist& playlist, const std::string& url, const FetchFiles& fetch) {
  forget_if_many();
  const std::vector<WantedFile> wanted = missing(playlist, url);
  for (std::size_t i = 0; i < wanted.size(); i += kAtOnce) {
    const auto batch = std::span{wanted}.subspan(i, std::min(kAtOnce, wanted.size() - i));
    const std::vector<FetchedFile> files = fetch(batch);
    for (std::size_t j = 0; j < files.size(); ++j) add(batch[j].url, files[j].bytes);
  }
}

hls::Block HlsKeys::key_at(const std::string& address) const {
  if (is_data_address(address)) return key_of(data_of(address).value_or(""), address);
  return keys_.at(address);
}

std::optional<Cipher> HlsKeys::of(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment,
                                  const std::string& url) const {
  if (!segment.key) return std::nullopt;
  const hls::EncryptionKey& key = playlist.keys[*segment.key];
  return Cipher{key_at(absolute_url(url, key.uri)), hls::initialization_vector(key, segment.sequence)};
}

std::optional<Cipher> HlsKeys::of(const hls::MediaPlaylist& playlist, const hls::InitSection& map,
                                  const std::string& url) const {
  if (!map.key) return std::nullopt;
  const hls::EncryptionKey& key = playlist.keys[*map.key];
  if (!key.is_plain_aes128()) return std::nullopt;  // SAMPLE-AES leaves it in the clear
  return Cipher{key_at(absolute_url(url, key.uri)), key.iv.value_or(hls::Block{})};
}

}  // namespace tributary
