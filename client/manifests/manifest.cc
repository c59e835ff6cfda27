#include "manifests/manifest.hh"

#include "dash/reading/mpd_reader.hh"
#include "manifests/hls_presentation.hh"
#include "manifests/live/live_title.hh"
#include "manifests/manifest_kind.hh"
#include "manifests/mpd_presentation.hh"
#include "manifests/reader_errors.hh"
#include "presentation/json_index.hh"

namespace tributary {

Opened::Opened() = default;
Opened::Opened(Opened&&) noexcept = default;
Opened& Opened::operator=(Opened&&) noexcept = default;
Opened::~Opened() = default;

Opened open_manifest(const std::string& text, const std::string& url, const FetchFiles& fetch,
                     const ManifestMoment& moment) {
  const auto kind = manifest_kind(text);
  if (!kind) throw ManifestError{why_no_manifest(text)};
  return with_manifest_errors([&] {
    switch (*kind) {
      case ManifestKind::kIndex: {
        Opened opened;
        opened.presentation = read_index(text);
        return opened;
      }
      case ManifestKind::kMpd:
        return presentation_of_mpd(dash::read_mpd(text), url, fetch, moment);
      case ManifestKind::kHls:
        return presentation_of_playlist(text, url, fetch, moment);
    }
    throw ManifestError{"a manifest of an unknown kind"};
  });
}

}  // namespace tributary
