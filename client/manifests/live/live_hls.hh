#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hls/media_playlist.hh"
#include "hls/playlist_variables.hh"
#include "manifests/hls_keys.hh"
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
/// grown, or half of one after it has not. A playlist that names new keys counts when they have come.
///
/// Within a playlist, segments are joined by their media sequence numbers; a discontinuity, or another init section,
/// begins a stretch. Between playlists, segments are joined by EXT-X-PROGRAM-DATE-TIME; without it, by a discontinuity
/// that both list; else by equal sequence numbers of equal segments, as long as both playlists then end alike; else by
/// their ends. Zero of the timeline is the first segment of the first playlist.
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
  struct Beginning {
    StretchStart how;
    std::uint64_t discontinuity = 0;  // its sequence number
  };
  struct Rendition {
    ListedPlaylist listed;
    std::uint64_t first = 0;              // sequence number of the first segment
    std::vector<ListedSegment> segments;  // as the playlist lists them now
    std::map<std::uint32_t, Beginning> stretches;
    std::string init;             // its name, of the last segment
    std::int64_t date_shift = 0;  // ticks from the time that dates tell to that of the title, behind the last break
    Duration target{};
    UtcTime fetched{};
    bool grew = true, ended = false;

    std::uint64_t next_number() const { return first + segments.size(); }
    std::int64_t end() const { return segments.back().start + segments.back().duration; }
    bool begins_stretch(std::size_t segment) const {
      return segment > 0 && segments[segment].stretch != segments[segment - 1].stretch;
    }
    UtcTime due() const;
  };
  /// A playlist whose keys have not all come.
  struct Waiting {
    std::size_t rendition = 0;
    hls::MediaPlaylist playlist;
    std::string url;
  };
  hls::MediaPlaylist read(const FetchedFile& file) const;
  void begin(Rendition& rendition, const hls::MediaPlaylist& playlist, const std::string& url);
  std::int64_t first_start(const hls::MediaPlaylist& playlist) const;
  std::optional<std::int64_t> by_discontinuity(const hls::MediaPlaylist& playlist, std::int64_t at_end) const;
  void go_on(Rendition& rendition, const hls::MediaPlaylist& playlist, const std::string& url) const;
  void append(Rendition& rendition, const hls::MediaPlaylist& playlist, std::size_t segment, const std::string& url,
              std::int64_t expected, std::int64_t tolerance) const;
  std::int64_t at_break(const Rendition& rendition, std::int64_t expected) const;
  std::optional<std::int64_t> dated(const hls::MediaSegment& segment) const;
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
  std::optional<UtcTime> zero_date_;
  UtcTime zero_{};
  std::optional<Duration> delay_;
};

}  // namespace tributary
