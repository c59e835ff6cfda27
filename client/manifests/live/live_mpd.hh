#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dash/mpd.hh"
#include "manifests/live/live_manifest.hh"
#include "manifests/live/publication_clock.hh"
#include "manifests/mpd_tracks.hh"

namespace tributary {

/// A dynamic MPD, one period of which is played (ISO/IEC 23009-1 clause 5.4). What a template names is there by the
/// clock; what a timeline lists becomes known when the MPD is fetched again. An MPD without minimumUpdatePeriod never
/// changes. availabilityTimeOffset is not used: segments are asked for when they are complete.
class LiveMpd : public LiveManifest {
 public:
  /// `mpd`: of one period, found at `url` at this time of the origin. Throws ManifestError.
  LiveMpd(dash::Mpd mpd, std::string url, UtcTime now);

  const std::vector<std::string>& left_out() const { return left_out_; }

  Listing list(UtcTime now, Duration after) override;
  std::vector<WantedFile> due(UtcTime now) override;
  std::optional<UtcTime> next_due() const override;
  void look_again() override { look_again_ = true; }
  void take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) override;

 private:
  void read(dash::Mpd mpd);
  dash::Mpd window(UtcTime now, Duration after) const;
  Listing list_all(const MpdTracks& tracks, UtcTime now, Duration after) const;
  void choose(const MpdTracks& tracks, const Listing& listing);
  Duration since_zero(UtcTime now) const;
  Duration depth() const;
  void expect_next(const Listing& listing, UtcTime now);

  dash::Mpd mpd_;
  std::string url_;       // where the MPD was found
  std::string next_url_;  // where the next one is
  std::string period_id_;
  std::size_t period_ = 0;
  std::vector<std::string> played_;  // ids of the tracks; a picture first
  std::vector<std::string> left_out_;
  bool by_timeline_ = false;
  PublicationClock clock_;       // of timelines
  std::int64_t listed_end_ = 0;  // of the first track, in ticks
  UtcTime fetched_;
  bool look_again_ = false;
};

}  // namespace tributary
