#include "manifests/manifest_kind.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "dash/reading/mpd_reader.hh"
#include "hls/lines/playlist_lines.hh"

namespace tributary {
namespace {

struct Signature {
  std::size_t at;
  std::string_view bytes, what;
  bool media = true;
};
constexpr std::size_t kEnough = 64'000;
constexpr std::array kSignatures{
    Signature{4, "ftyp", "an MP4 file"},
    Signature{4, "styp", "a segment of an MP4 stream"},
    Signature{0, "\x1a\x45\xdf\xa3", "a Matroska or WebM file"},
    Signature{0, "RIFF", "an AVI or WAV file"},
    Signature{0, "OggS", "an Ogg file"},
    Signature{0, "FLV", "a Flash video"},
    Signature{0, "\x47", "an MPEG transport stream"},
    Signature{0, std::string_view{"\0\0\1\xba", 4}, "an MPEG program stream"},
    Signature{0, "\x30\x26\xb2\x75", "a Windows Media file"},
    Signature{0, "ID3", "a sound file"},
    Signature{0, "fLaC", "a FLAC file"},
    Signature{0, "\xff\xfb", "an MP3 file"},
    Signature{0, "\xff\xf1", "an AAC file"},
    Signature{0, "\xff\xf9", "an AAC file"},
    Signature{0, "WEBVTT", "subtitles", false},
    Signature{0, "%PDF", "a PDF document", false},
    Signature{0, "PK\x03\x04", "a ZIP archive", false},
    Signature{0, "\x1f\x8b", "packed with gzip", false},
};

const Signature* signature_of(std::string_view first_bytes) {
  const auto* const found = std::ranges::find_if(kSignatures, [&](const Signature& signature) {
    return first_bytes.size() >= signature.at && first_bytes.substr(signature.at).starts_with(signature.bytes);
  });
  return found == kSignatures.end() ? nullptr : found;
}

}  // namespace

std::optional<ManifestKind> manifest_kind(std::string_view first_bytes) {
  if (hls::looks_like_playlist(first_bytes)) return ManifestKind::kHls;
  if (dash::looks_like_mpd(first_bytes)) return ManifestKind::kMpd;
  const auto first = first_bytes.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (first != std::string_view::npos && first_bytes[first] == '{') return ManifestKind::kIndex;
  return std::nullopt;
}

bool may_be_manifest(std::string_view first_bytes) {
  if (manifest_kind(first_bytes)) return true;
  return signature_of(first_bytes) == nullptr && first_bytes.size() < kEnough;
}

std::string looks_like(std::string_view first_bytes) {
  if (const Signature* const signature = signature_of(first_bytes)) return std::string{signature->what};
  const auto first = first_bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "empty";
  return first_bytes[first] == '<' ? "a web page, or another kind of XML" : "something else";
}

bool is_media(std::string_view first_bytes, std::string_view content_type) {
  const Signature* const signature = signature_of(first_bytes);
  return signature != nullptr ? signature->media
                              : content_type.starts_with("video/") || content_type.starts_with("audio/");
}

std::string why_no_manifest(std::string_view first_bytes, std::string_view content_type) {
  return fmt::format("this is no manifest (index.json, MPD or m3u8): it is {}{}{}", looks_like(first_bytes),
                     content_type.empty() ? "" : fmt::format(" ({})", content_type),
                     is_media(first_bytes, content_type)
                         ? "; tributary-get fetches it as a file, tributary-proxy plays it in other players, and "
                           "tributary-segment makes a title of it"
                         : "");
}

}  // namespace tributary
