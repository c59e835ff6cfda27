#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "dash/mpd.hh"
#include "hls/media_playlist.hh"
#include "presentation/presentation.hh"
#include "proxy/rewriting/announcements.hh"
#include "proxy/rewriting/media_file.hh"
#include "proxy/rewriting/mpd_rewriting.hh"
#include "units/utc_time.hh"

namespace tributary::proxy {

/// The segments that one version of a manifest lists.
class Listing {
 public:
  virtual ~Listing() = default;
  /// The files of that rendition that are there at `now`, init segments first. Lives until the next call. Null: none is
  /// known.
  virtual const FileList* list(const ListPlace& place, UtcTime now) = 0;
  /// The list that is played behind that one.
  virtual std::optional<ListPlace> after(const ListPlace& place) const = 0;
  /// An address that is announced at the place and is not in its list may be there all the same.
  virtual bool is_open(const ListPlace& place) const = 0;
};

/// `bitrate`: of files whose size the playlist does not state. `before`: an earlier version, which has the segments that this one
/// leaves out, so many; null: there is none.
std::unique_ptr<Listing> listing_of(const hls::MediaPlaylist& playlist, const Address& document,
                                    std::optional<DataRate> bitrate, Listing* before = nullptr,
                                    std::size_t skipped = 0);
/// Of index.json, a rendition for each track.
std::unique_ptr<Listing> listing_of(const Presentation& presentation, const Address& document);
std::unique_ptr<Listing> listing_of(dash::Mpd mpd, std::vector<RepresentationPlace> representations);

}  // namespace tributary::proxy
