#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "dash/mpd.hh"
#include "manifests/live/live_manifest.hh"
#include "manifests/live/live_periods.hh"
#include "manifests/live/publication_clock.hh"

namespace tributary {

/// A dynamic MPD (ISO/IEC 23009-1 clause 5.4), whose periods are played one after another. What a template names is there
/// by the clock; what a timeline lists becomes known when the MPD is fetched again. An MPD without minimumUpdatePeriod
/// never changes. While it cannot be had or read, a template goes on as before. Zero of the timeline
/// is where the first period of the first MPD starts.
///
/// Segments are listed when they are complete, whatever availabilityTimeOffset says. By parts, those that end after the
/// beginning are listed part by part: files of a segment sequence, or pieces of a segment that is available while it grows.
class LiveMpd : public LiveManifest {
 public:
  /// `mpd`: found at `url` at this time of the origin. Throws ManifestError.
  LiveMpd(dash::Mpd mpd, std::string url, UtcTime now, bool by_parts = false);

  /// Segments are listed in parts.
  bool goes_by_parts() const;

  const std::vector<std::string>& left_out() const { return periods_->left_out(); }
  /// When zero of the timeline was, by the origin's clock.
  UtcTime zero() const;

  Listing list(UtcTime now, Duration after) override;
  std::vector<WantedFile> due(UtcTime now) override;
  std::optional<UtcTime> next_due() const override;
  void look_again() override { look_again_ = true; }
  void take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) override;

 private:
  /// What the MPD says at a moment.
  struct Look {
    std::vector<ListedPeriod> periods;
    bool more = false;            // of any of them, segments are to come
    std::optional<UtcTime> next;  // when a further one is there by the clock alone
    void comes_at(UtcTime time) { next = std::min(next.value_or(time), time); }
  };
  void read(dash::Mpd mpd, std::string url);
  Look look(UtcTime now, Duration after) const;
  ListedPeriod listed(const dash::Period& period, UtcTime now, Duration after, Look& look) const;
  UtcTime known_until(const dash::Period& period, const dash::Representation& representation, UtcTime now) const;
  dash::Mpd window(UtcTime now, Duration after) const;
  Duration begin_of(const dash::Period& period) const;
  Duration window_begin(UtcTime now) const;
  bool is_complete(const Look& look) const;
  Duration since_zero(UtcTime now) const { return now - availability_start_ - zero_; }
  Duration depth() const;
  void expect_next(const Listing& listing, UtcTime now);

  dash::Mpd mpd_;
  std::string url_;                        // where the MPD was found
  std::string next_url_;                   // where the next one is
  UtcTime availability_start_;             // of the first MPD
  Duration zero_;                          // on the timeline of the first MPD
  std::optional<Duration> by_parts_from_;  // on the timeline of the title
  Duration longest_window_{};              // of what is listed
  std::optional<LivePeriods> periods_;
  bool by_timeline_ = false;
  PublicationClock clock_;       // of timelines
  std::int64_t listed_end_ = 0;  // of the first track, in ticks
  UtcTime fetched_;              // when it was asked for last, and had what was expected
  UtcTime answered_;             // when it was asked for last
  bool look_again_ = false;
};

}  // namespace tributary
