#include "hls/unplayable.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "hls/lines/playlist_lines.hh"

namespace tributary::hls {
namespace {

struct Scheme {
  std::string_view format;   // KEYFORMAT in lower case
  std::string_view name;     // of the system
  std::string_view players;  // which play it
};
constexpr std::string_view kApple = "Safari or Apple's players do";
constexpr std::string_view kWidevine = "Chrome, Firefox and Android do";
constexpr std::string_view kPlayReady = "Edge and Windows do";
constexpr std::array kSchemes{
    Scheme{"com.apple.streamingkeydelivery", "FairPlay", kApple},
    Scheme{"urn:uuid:94ce86fb-07ff-4f43-adb8-93d2fa968ca2", "FairPlay", kApple},
    Scheme{"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", "Widevine", kWidevine},
    Scheme{"com.widevine", "Widevine", kWidevine},
    Scheme{"com.microsoft.playready", "PlayReady", kPlayReady},
    Scheme{"urn:uuid:9a04f079-9840-4286-ab92-e65be0885f95", "PlayReady", kPlayReady},
    Scheme{"org.w3.clearkey", "ClearKey", "hls.js and Shaka Player do"},
    Scheme{"urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e", "ClearKey", "hls.js and Shaka Player do"},
};
constexpr std::string_view kFairPlayAddress = "skd://";

std::string lower_case(std::string_view text) {
  std::string result{text};
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

/// Null for "identity" and for formats that nobody registered.
const Scheme* scheme_of(const EncryptionKey& key) {
  if (key.uri.starts_with(kFairPlayAddress)) return &kSchemes.front();  // also where no KEYFORMAT says so
  const std::string format = lower_case(key.format);
  const auto* const known = std::ranges::find(kSchemes, format, &Scheme::format);
  return known == kSchemes.end() ? nullptr : known;
}

bool is_ours(const EncryptionKey& key) { return key.is_plain_aes128() && scheme_of(key) == nullptr; }

/// SAMPLE-AES leaves init sections in the clear (RFC 8216 section 4.3.2.4).
bool encrypts_init(const EncryptionKey& key) {
  return key.method != EncryptionMethod::kSampleAes && key.method != EncryptionMethod::kSampleAesCtr;
}

void add_once(std::vector<std::string>& texts, std::string_view text) {
  constexpr std::size_t kMostNamed = 4;  // a hostile playlist may have thousands
  if (texts.size() < kMostNamed && std::ranges::find(texts, text) == texts.end()) texts.emplace_back(text);
}

/// "the video is encrypted for FairPlay and Widevine (SAMPLE-AES), ...", of those keys that are not ours.
std::string encryption_text(std::span<const EncryptionKey> keys) {
  std::vector<std::string> names, methods, players;
  for (const EncryptionKey& key : keys) {
    if (is_ours(key)) continue;
    add_once(methods, key.method_name.size() <= 20 ? key.method_name : in_quotes(key.method_name));
    if (const Scheme* const scheme = scheme_of(key)) {
      add_once(names, scheme->name);
      add_once(players, scheme->players);
    } else if (key.format != "identity") {
      add_once(names, in_quotes(key.format));
    } else {
      add_once(players, "hls.js and Apple's players may");
    }
  }
  return fmt::format("the video is encrypted{}{} ({}), which Tributary does not decrypt{}{}",
                     names.empty() ? "" : " for ", fmt::join(names, " and "), fmt::join(methods, ", "),
                     players.empty() ? "" : "; ", fmt::join(players, ", "));
}

}  // namespace

/// Variants may differ in their keys, and name them only in their own playlists. Session keys tell it early where
/// none of them is ours.
std::optional<std::string> why_unplayable(const MultivariantPlaylist& playlist) {
  if (playlist.variants.empty()) return "the playlist lists no variant (EXT-X-STREAM-INF)";
  if (playlist.session_keys.empty() || std::ranges::any_of(playlist.session_keys, is_ours)) return std::nullopt;
  return encryption_text(playlist.session_keys);
}

std::optional<std::string> why_unplayable(const MediaPlaylist& playlist) {
  if (playlist.segments.empty() && playlist.ended) return "the playlist has ended, and lists no segment";
  const bool encrypted = std::ranges::any_of(playlist.segments, [&](const MediaSegment& segment) {
    if (segment.key && !is_ours(playlist.keys[*segment.key])) return true;
    const auto init_key = segment.map ? playlist.maps[*segment.map].key : std::nullopt;
    return init_key && encrypts_init(playlist.keys[*init_key]) && !is_ours(playlist.keys[*init_key]);
  });
  if (!encrypted) return std::nullopt;
  return encryption_text(playlist.keys);
}

}  // namespace tributary::hls
