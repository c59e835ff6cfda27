#include "dash/reading/media_kind.hh"

#include <algorithm>
#include <array>

#include "units/text/named_values.hh"

namespace tributary::dash {
namespace {

constexpr std::array<Named<MediaKind>, 5> kTypes{{{"video", MediaKind::kVideo},
                                                  {"audio", MediaKind::kAudio},
                                                  {"text", MediaKind::kText},
                                                  {"image", MediaKind::kImage},
                                                  {"other", MediaKind::kOther}}};
/// The kinds of codecs by the beginnings of their names, as "codecs" has them (RFC 6381): "vp" is that of vp08 and vp09,
/// "dvh" of dvh1 and dvhe.
constexpr std::array<Named<MediaKind>, 16> kCodecs{{{"avc", MediaKind::kVideo},
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

std::string_view to_string(MediaKind kind) { return std::ranges::find(kTypes, kind, &Named<MediaKind>::value)->name; }

MediaKind media_kind(std::string_view content_type, std::string_view mime_type, std::string_view codecs) {
  const std::string_view major = mime_type.substr(0, mime_type.find('/'));
  for (const std::string_view type : {content_type, major}) {
    if (const auto kind = value_named(kTypes, type)) return *kind;
  }
  if (mime_type == "application/ttml+xml") return MediaKind::kText;
  for (const auto& [beginning, kind] : kCodecs) {
    if (codecs.starts_with(beginning)) return kind;
  }
  return MediaKind::kOther;
}

}  // namespace tributary::dash
