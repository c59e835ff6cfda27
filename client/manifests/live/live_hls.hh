#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hls/media_playlist.hh"
#include "hls/playlist_variables.hh"
#include "manifests/hls_keys.hh"
#include "manifests/live/hls_rendition.hh"
#include "manifests/live/hls_timeline.hh"
#include "manifests/live/live_manifest.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// A media playlist, and what the multivariant playlist says about it.
struct ListedPlaylist {
  Track track;
  std::string url;                     // of the playlist
  std::vector<std::string> also_at{};  // of redundant ones
};

struct PlayedPlaylists {
  std::vector<ListedPlaylist> playlists;  // a picture first
  hls::VariableValues variables;          // of the multivariant playlist
  std::shared_ptr<HlsTimeline> timeline;  // is told of the first playlist; null: nobody asks
};

/// Media playlists that go on (RFC 8216 section 6.3.4). A playlist is fetched again a target duration after it has
/// grown, or half of one after it has not. A playlist that names new keys counts when they have come. Segments are joined
/// as hls_rendition.hh says.
class LiveHls : public LiveManifest {
 public:
  /// `files`: the playlists, as they are now; `fetch`: for their keys. Throws ManifestError, and what `fetch` throws.
  LiveHls(PlayedPlaylists played, std::span<const FetchedFile> files, const FetchFiles& fetch, UtcTime now);

  const std::vector<std::string>& left_out() const { return left_out_; }
  /// When zero of the timeline was, by the origin's clock.
  UtcTime zero() const { return zero_; }
  /// How far behind the end playout is to begin, where a playlist says so.
  std::optional<Duration> delay() const { return delay_; }

  Listing list(UtcTime now, Duration after) override;
  std::vector<WantedFile> due(UtcTime now) override;
  std::optional<UtcTime> next_due() const override;
  void take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) override;

 private:
  struct Rendition {
    ListedPlaylist listed;
    HlsRendition known;
    UtcTime fetched{};
    bool grew = true;

    UtcTime due() const;
  };
  /// A playlist whose keys have not all come.
  struct Waiting {
    std::size_t rendition = 0;
    hls::MediaPlaylist playlist;
    std::string url;
  };
  hls::MediaPlaylist read(const FetchedFile& file) const;
  void take_delay(const hls::MediaPlaylist& playlist);
  /// Null: there is none yet.
  const HlsRendition* first() const { return renditions_.empty() ? nullptr : &renditions_.front().known; }
  void take_playlists(std::span<const FetchedFile> files, UtcTime sent);
  void take_keys(std::span<const FetchedFile> files);
  void go_on_with_keys(UtcTime now);
  void leave_out_what_differs();

  HlsKeys keys_;
  std::vector<Waiting> waiting_;
  std::vector<std::string> asked_keys_;  // they were due last; empty: playlists were
  UtcTime waiting_since_{};
  hls::VariableValues variables_;
  std::vector<Rendition> renditions_;
  std::vector<std::size_t> asked_;  // renditions that were due last
  std::vector<std::string> left_out_;
  std::shared_ptr<HlsTimeline> timeline_;
  UtcTime zero_{};
  std::optional<Duration> delay_;
};

}  // namespace tributary
