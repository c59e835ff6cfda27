#include "manifests/manifest_kind.hh"

#include <array>
#include <utility>

#include "dash/reading/mpd_reader.hh"
#include "hls/playlist_lines.hh"

namespace tributary {
namespace {

struct Signature {
  std::size_t at;
  std::string_view bytes, what;
};
constexpr std::array kSignatures{
    Signature{4, "ftyp", "an MP4 file"},
    Signature{4, "styp", "a segment of an MP4 stream"},
    Signature{0, "\x1a\x45\xdf\xa3", "a Matroska or WebM file"},
    Signature{0, "RIFF", "an AVI or WAV file"},
    Signature{0, "OggS", "an Ogg file"},
    Signature{0, "FLV", "a Flash video"},
    Signature{0, "\x47", "an MPEG transport stream"},
    Signature{0, "ID3", "a sound file"},
    Signature{0, "WEBVTT", "subtitles"},
    Signature{0, "%PDF", "a PDF document"},
    Signature{0, "PK\x03\x04", "a ZIP archive"},
};

}  // namespace

std::optional<ManifestKind> manifest_kind(std::string_view first_bytes) {
  if (hls::looks_like_playlist(first_bytes)) return ManifestKind::kHls;
  if (dash::looks_like_mpd(first_bytes)) return ManifestKind::kMpd;
  const auto first = first_bytes.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (first != std::string_view::npos && first_bytes[first] == '{') return ManifestKind::kIndex;
  return std::nullopt;
}

std::string looks_like(std::string_view first_bytes) {
  for (const Signature& signature : kSignatures) {
    if (first_bytes.size() >= signature.at && first_bytes.substr(signature.at).starts_with(signature.bytes))
      return std::string{signature.what};
  }
  const auto first = first_bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "empty";
  return first_bytes[first] == '<' ? "a web page, or another kind of XML" : "something else";
}

}  // namespace tributary
