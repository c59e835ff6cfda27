#pragma once

#include <deque>
#include <map>
#include <optional>

#include "core/session.hh"
#include "core/world.hh"
#include "links/known_links.hh"
#include "playback/status/link_activity.hh"
#include "playback/status/link_uses.hh"
#include "playback/status/recent_bytes.hh"
#include "playback/status/stream_status.hh"
#include "report/session_record.hh"

namespace tributary {

/// Knows what a session does at this moment, and what it did in the last five minutes: what a person wants to see.
class StatusRecorder : public SessionObserver {
 public:
  /// All must outlive it.
  StatusRecorder(const Session& session, const KnownLinks& known, const LinkUses& uses);

  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

  /// The origin has nothing before.
  SegmentIndex window_begin() const { return window_begin_; }
  /// Not while the session handles an event.
  StreamStatus status(TimePoint now);

 private:
  struct LinkTraffic {
    LinkNews news;
    DataSize received;
    RecentBytes last_second{std::chrono::seconds{1}, 10};
    RecentBytes lately{std::chrono::seconds{15}, 30};
    RecentBytes last_minute{std::chrono::minutes{1}, 60};
    DataSize received_at_sample;
  };

  /// Of the link that was asked, which the session knows until it is told the event itself.
  LinkTraffic& traffic_of(RequestId request);
  void take_samples(TimePoint now);
  LinkStatus link_status(LinkId id, const Link& link, DataSize of_all, TimePoint now);
  void add_lane(std::vector<LinkStatus>& links, LinkId id, const Link& lane) const;
  void add_links_never_up(std::vector<LinkStatus>& links) const;
  std::optional<Duration> position(TimePoint now) const;
  Duration buffered(TimePoint now) const;
  void stalled(const std::string& why, TimePoint at);
  void explain_stall_so_far(TimePoint now);
  void explain_stall(const action::PlaySegment& a);
  void goes_on(TimePoint at);

  const Session& session_;
  const KnownLinks& known_;
  const LinkUses& uses_;
  SessionRecord record_;  // as far as it takes to explain a stall
  std::map<LinkId, LinkTraffic> traffic_;
  std::optional<QualityIndex> quality_;
  std::optional<DataRate> throughput_;
  SegmentIndex window_begin_{};
  std::uint32_t skipped_ = 0, stalls_ = 0;
  std::optional<StallStatus> last_stall_;
  bool stall_explained_ = false;
  unsigned looks_ = 0, looks_without_link_ = 0;  // while it lasted
  std::deque<StatusSample> history_;
  TimePoint next_sample_;
};

}  // namespace tributary
