#pragma once

#include <string>
#include <vector>

#include "manifests/live/clock_offset.hh"
#include "manifests/live/publication_clock.hh"
#include "presentation/presentation.hh"
#include "worlds/discovery/index_growth.hh"
#include "worlds/discovery/live_source.hh"

namespace tributary {

/// An index.json that is fetched again when the next segment is due.
class GrowingIndex : public LiveSource {
 public:
  /// `first`: the index with which the session begins; `start`: when that is by our clock, since 1970.
  GrowingIndex(const Presentation& first, std::string url, Duration start);

  std::vector<Event> beginning() override { return growth_.beginning(); }
  std::optional<TimePoint> next_due() const override { return clock_.next_look(); }
  std::vector<std::string> due(TimePoint /*now*/) override { return {url_}; }
  std::vector<Event> take(std::span<const FetchedFile> documents, TimePoint sent, TimePoint now) override;
  std::optional<TimePoint> next_by_clock() const override { return std::nullopt; }
  std::vector<Event> by_clock(TimePoint /*now*/) override { return {}; }
  void look_again() override {}  // it is fetched whenever a segment is due
  bool ended() const override { return growth_.ended(); }

 private:
  void expect_next(TimePoint now);
  Duration utc(TimePoint at) const { return at.time_since_epoch() + start_; }

  std::string url_;
  Duration start_;
  Duration availability_start_;
  Duration segment_duration_;
  IndexGrowth growth_;
  ClockOffset offset_;
  PublicationClock clock_;
};

}  // namespace tributary
