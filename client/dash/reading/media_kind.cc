#include "dash/reading/media_kind.hh"

#include <algorithm>
#include <array>
#include <utility>

namespace tributary::dash {
namespace {

using NamedKind = std::pair<std::string_view, MediaKind>;

constexpr std::array<NamedKind, 5> kTypes{{{"video", MediaKind::kVideo},
                                           {"audio", MediaKind::kAudio},
                                           {"text", MediaKind::kText},
                                           {"image", MediaKind::kImage},
                                           {"other", MediaKind::kOther}}};
constexpr std::array<NamedKind, 16> kCodecs{{{"avc", MediaKind::kVideo},
                                             {"hvc1", MediaKind::kVideo},
                                             {"hev1", MediaKind::kVideo},
                                             {"av01", MediaKind::kVideo},
                                             {"vp", MediaKind::kVideo},
                                             {"dvh", MediaKind::kVideo},
                                             {"vvc1", MediaKind::kVideo},
                                             {"stpp", MediaKind::kText},
                                             {"wvtt", MediaKind::kText},
                                             {"mp4a", MediaKind::kAudio},
                                             {"ac-", MediaKind::kAudio},
                                             {"ec-3", MediaKind::kAudio},
                                             {"opus", MediaKind::kAudio},
                                             {"Opus", MediaKind::kAudio},
                                             {"fLaC", MediaKind::kAudio},
                                             {"flac", MediaKind::kAudio}}};

}  // namespace

std::string_view to_string(MediaKind kind) { return std::ranges::find(kTypes, kind, &NamedKind::second)->first; }

MediaKind media_kind(std::string_view content_type, std::string_view mime_type, std::string_view codecs) {
  const std::string_view major = mime_type.substr(0, mime_type.find('/'));
  for (const std::string_view type : {content_type, major}) {
    const auto* const found = std::ranges::find(kTypes, type, &NamedKind::first);
    if (found != kTypes.end()) return found->second;
  }
  if (mime_type == "application/ttml+xml") return MediaKind::kText;
  for (const auto& [codec, kind] : kCodecs) {
    if (codecs.starts_with(codec)) return kind;
  }
  return MediaKind::kOther;
}

}  // namespace tributary::dash
