#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hls/media_playlist.hh"
#include "hls/playlist_variables.hh"
#include "manifests/live/live_manifest.hh"
#include "presentation/presentation.hh"

namespace tributary {

inline constexpr std::uint32_t kHlsTimescale = 90'000;  // as MPEG-2 transport streams count

std::int64_t hls_ticks(Duration time);
/// The text behind "?" of an address, without a fragment.
std::string hls_query(const std::string& url);

/// A media playlist, and what the multivariant playlist says about it.
struct ListedPlaylist {
  Track track;
  std::string url;  // of the playlist
};

struct PlayedPlaylists {
  std::vector<ListedPlaylist> playlists;  // a picture first
  hls::VariableValues variables;          // of the multivariant playlist
};

/// Media playlists that go on (RFC 8216 section 6.3.4). A playlist is fetched again a target duration after it has
/// grown, or half of one after it has not.
///
/// Within a playlist, segments are joined by their media sequence numbers. Between playlists, by EXT-X-PROGRAM-DATE-TIME;
/// without it, by the discontinuity before them if both list it; else by equal sequence numbers of equal segments, as long
/// as both playlists then end alike; else by their ends. Zero of the timeline is the first segment of the first playlist.
class LiveHls : public LiveManifest {
 public:
  /// `files`: the playlists, as they are now. Throws ManifestError.
  LiveHls(PlayedPlaylists played, std::span<const FetchedFile> files, UtcTime now);

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
    std::uint64_t first = 0;              // sequence number of the first segment
    std::vector<ListedSegment> segments;  // as the playlist lists them now
    std::optional<std::int64_t> stretch;  // where the discontinuity before them is, if it is listed
    std::string map;                      // address and range
    Duration target{};
    UtcTime fetched{};
    bool grew = true, ended = false;

    std::uint64_t next_number() const { return first + segments.size(); }
    std::int64_t end() const { return segments.back().start + segments.back().duration; }
    UtcTime due() const;
  };
  hls::MediaPlaylist read(const FetchedFile& file) const;
  void begin(Rendition& rendition, const hls::MediaPlaylist& playlist, const std::string& url);
  std::int64_t first_start(const hls::MediaPlaylist& playlist, std::size_t first, std::int64_t length) const;
  void go_on(Rendition& rendition, const hls::MediaPlaylist& playlist, const std::string& url) const;
  std::optional<std::int64_t> dated(const hls::MediaSegment& segment) const;
  void leave_out_what_differs();

  hls::VariableValues variables_;
  std::vector<Rendition> renditions_;
  std::vector<std::size_t> asked_;  // renditions that were due last
  std::vector<std::string> left_out_;
  std::optional<UtcTime> zero_date_;
  UtcTime zero_{};
  std::optional<Duration> delay_;
};

}  // namespace tributary
