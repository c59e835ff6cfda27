#include "manifests/manifest.hh"

#include "dash/reading/mpd_reader.hh"
#include "manifests/channel_choice.hh"
#include "manifests/from_hls/hls_presentation.hh"
#include "manifests/live/live_title.hh"
#include "manifests/manifest_kind.hh"
#include "manifests/mpd_presentation.hh"
#include "manifests/reader_errors.hh"
#include "presentation/json/json_index.hh"
#include "presentation/segments/partial_segments.hh"
#include "units/text/plain_text.hh"

namespace tributary {
namespace {

/// A title fit for the head of a window. A text of more than 1,000 bytes is none.
std::string shown_title(const std::string& stated) {
  constexpr std::size_t kLongest = 1'000;
  return stated.size() > kLongest ? std::string{} : as_one_line(stated);
}

}  // namespace

Opened::Opened() = default;
Opened::Opened(Opened&&) noexcept = default;
Opened& Opened::operator=(Opened&&) noexcept = default;
Opened::~Opened() = default;

Opened open_manifest(const std::string& text, const std::string& url, const FetchFiles& fetch,
                     const ManifestMoment& moment) {
  const auto kind = manifest_kind(text);
  if (!kind) throw ManifestError{why_no_manifest(text)};
  Opened opened = with_manifest_errors([&] {
    switch (*kind) {
      case ManifestKind::kIndex: {
        Opened own;
        own.presentation = read_index(text);
        if (moment.by_parts && !own.presentation.complete)
          own.presentation = in_listed_parts(std::move(own.presentation));
        if (own.presentation.sheets) own.presentation.thumbnails = side_files(*own.presentation.sheets);
        return own;
      }
      case ManifestKind::kMpd:
        return presentation_of_mpd(dash::read_mpd(text, moment.by_parts), url, fetch, moment);
      case ManifestKind::kHls:
        refuse_channels(text, url);
        return presentation_of_playlist(text, url, fetch, moment);
    }
    throw ManifestError{"a manifest of an unknown kind"};
  });
  opened.presentation.title = shown_title(opened.presentation.title);
  for (Chapter& chapter : opened.presentation.chapters) chapter.name = shown_title(chapter.name);
  return opened;
}

}  // namespace tributary
