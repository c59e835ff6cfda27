#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hls/lines/playlist_variables.hh"
#include "hls/media_playlist.hh"
#include "manifests/from_hls/hls_keys.hh"
#include "manifests/live/followed_playlist.hh"
#include "manifests/live/hls_timeline.hh"
#include "manifests/live/live_manifest.hh"
#include "presentation/presentation.hh"

namespace tributary {

struct PlayedPlaylists {
  std::vector<ListedPlaylist> playlists;  // a picture first
  hls::VariableValues variables;          // of the multivariant playlist
  std::shared_ptr<HlsTimeline> timeline;  // is told of the first playlist; null: nobody asks
  bool by_parts = false;                  // partial segments are listed, where they can be followed (low latency)
};

/// Media playlists that go on (RFC 8216 section 6.3.4). A playlist is fetched again a target duration after it has
/// grown, or half of one after it has not. A playlist that names new keys counts when they have come. Segments are joined
/// as hls_rendition.hh says. One that cannot be followed is left out (followed_playlist.hh).
///
/// Where an origin can leave out what the last version lists, it is asked to (delta_updates.hh).
///
/// By parts, the playlists that are played are fetched for each part, the answers being held by origins that can. The others are
/// fetched when a segment begins: only there qualities change.
class LiveHls : public LiveManifest {
 public:
  /// `files`: the playlists, as they are now; `fetch`: for their keys. One that cannot be used is left out. If no picture
  /// is left, throws NothingPublishedYet if one of them is only empty, or what is wrong with the first playlist.
  LiveHls(PlayedPlaylists played, std::span<const FetchedFile> files, const FetchFiles& fetch, UtcTime now);

  const std::vector<std::string>& left_out() const { return left_out_; }
  /// When zero of the timeline was, by the origin's clock.
  UtcTime zero() const { return zero_; }
  /// Partial segments are listed.
  bool goes_by_parts() const;
  /// How far behind the end playout is to begin, where a playlist says so.
  std::optional<Duration> delay() const { return delay_; }

  Listing list(UtcTime now, Duration after) override;
  bool play(const std::vector<std::size_t>& tracks) override;
  Duration held() const override;
  std::optional<Duration> overdue_after() const override;
  void held_in_vain(UtcTime now) override;
  std::vector<WantedFile> due(UtcTime now) override;
  std::optional<UtcTime> next_due() const override;
  void take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) override;
  std::vector<std::string> notes() override { return std::exchange(notes_, {}); }

 private:
  /// A playlist whose keys have not all come.
  struct Waiting {
    std::size_t rendition = 0;
    hls::MediaPlaylist playlist;
    std::string url;
    bool begins = false;  // for the first time, or anew
  };
  const FollowedPlaylist& leading() const;
  bool lags(const FollowedPlaylist& rendition) const;
  UtcTime due_of(const FollowedPlaylist& rendition) const;
  hls::MediaPlaylist read(const FetchedFile& file, const hls::MediaPlaylist* before = nullptr) const;
  void take_playlist(std::size_t rendition, const FetchedFile& file, UtcTime sent);
  void take_reports(const hls::MediaPlaylist& playlist, const std::string& url);
  void begin(FollowedPlaylist& rendition, const FetchedFile& file, const FetchFiles& fetch);
  void take_delay(const hls::MediaPlaylist& playlist);
  void begin(FollowedPlaylist& rendition, const KnownPlaylist& playlist);
  /// By which a playlist is placed; null: by its own.
  const HlsRendition* beside(const FollowedPlaylist& rendition) const;
  void take_playlists(std::span<const FetchedFile> files, UtcTime sent);
  void take_keys(std::span<const FetchedFile> files, UtcTime sent);
  void go_on_with_keys(UtcTime now);
  void tell_timeline();
  void failed(FollowedPlaylist& rendition, const std::string& why, UtcTime sent);
  void leave_out_what_differs();
  void list_the_same_in_parts();

  HlsKeys keys_;
  std::vector<Waiting> waiting_;
  std::vector<std::string> asked_keys_;  // they were due last; empty: playlists were
  UtcTime waiting_since_{};
  hls::VariableValues variables_;
  std::vector<FollowedPlaylist> renditions_;
  std::vector<std::size_t> asked_;  // renditions that were due last
  std::vector<std::string> left_out_, notes_;
  std::shared_ptr<HlsTimeline> timeline_;
  bool by_parts_ = false;
  UtcTime zero_{};
  std::optional<Duration> delay_;
};

}  // namespace tributary
