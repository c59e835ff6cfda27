#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "manifests/live/live_title.hh"
#include "presentation/presentation.hh"
#include "worlds/discovery/live_source.hh"

namespace tributary {

/// A live MPD, or live playlists, as a session hears of them.
class GrowingManifest : public LiveSource {
 public:
  /// `title` has begun, and must outlive the object. `first`: the presentation with which the session begins, or its last
  /// segments. `url`: of the manifest, for errors; `start`: of the session by our clock, since 1970.
  GrowingManifest(LiveTitle& title, const Presentation& first, std::string url, Duration start);

  std::vector<Event> beginning() override;
  std::optional<TimePoint> next_due() const override;
  std::vector<std::string> due(TimePoint now) override;
  std::vector<Event> take(std::span<const FetchedFile> documents, TimePoint sent, TimePoint now) override;
  std::optional<TimePoint> next_by_clock() const override { return next_by_clock_; }
  std::vector<Event> by_clock(TimePoint now) override { return news(now); }
  bool play(const std::vector<std::size_t>& tracks) override { return title_.manifest().play(tracks); }
  Duration held() const override { return title_.manifest().held(); }
  std::optional<Duration> overdue_after() const override { return title_.manifest().overdue_after(); }
  void held_in_vain(TimePoint now) override { title_.manifest().held_in_vain(at_origin(now)); }
  void look_again() override { title_.manifest().look_again(); }
  bool ended() const override { return ended_; }
  std::vector<std::string> notes() override { return title_.manifest().notes(); }

 private:
  std::vector<Event> news(TimePoint now);
  void add(GrownSegment segment, std::vector<Event>& events);
  void move_window(Duration begin, std::vector<Event>& events);
  UtcTime at_origin(TimePoint at) const;
  TimePoint by_session(UtcTime at_origin) const;

  LiveTitle& title_;
  std::string url_;
  Duration start_;
  ClockOffset offset_;
  std::vector<Duration> middles_;  // of all segments of the session, on the title's timeline
  std::size_t window_begin_ = 0;   // the first segment in the window
  std::optional<TimePoint> next_by_clock_ = TimePoint{};
  bool ended_ = false;
};

}  // namespace tributary
