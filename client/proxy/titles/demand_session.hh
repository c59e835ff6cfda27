#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/session.hh"
#include "playback/status/link_uses.hh"
#include "playback/status/status_board.hh"
#include "playback/status/status_recorder.hh"
#include "proxy/titles/demand_queue.hh"
#include "sink/segment_sink.hh"
#include "worlds/event_source.hh"

namespace tributary::proxy {

/// The table of a session whose segments are the files that a player wants: at first this one. `bitrates`: of the
/// qualities between which the session chooses, the lowest first; empty: it chooses nothing. A file without renditions is
/// the same in all qualities.
SegmentTable table_with(const WantedMedia& first, std::vector<DataRate> bitrates);
/// The name of a quality there.
std::string quality_id(std::size_t number);

/// One session, seen from the files that it brings: calls become events, bytes and ends go to the files.
class DemandSession : public EventSource, public SegmentSink, public SessionObserver {
 public:
  /// `first`: the file that the table has already. All references must outlive the object.
  DemandSession(DemandQueue& queue, demand::Want first, const Session& session, LinkUses& uses,
                StatusRecorder& recorder, StatusBoard& board, Waits& waits);

  int file_descriptor() const override { return queue_.file_descriptor(); }
  void advance(TimePoint now, std::deque<TimedEvent>& happened) override;
  std::optional<TimePoint> next_deadline() const override { return show_at_; }

  bool wants_whole() const override { return false; }
  void take(SegmentIndex segment, std::vector<MediaPart> parts) override;
  void arrive(SegmentIndex segment, std::uint32_t part, DataSize offset, std::span<const std::byte> bytes) override;

  /// For NetworkWorld::Options::fields_of.
  transport::RequestFields fields_of(RequestId request);
  /// For NetworkWorld::Options::brought_of.
  DataSize brought_of(RequestId request, DataSize stated);
  /// For NetworkWorld::Options::brings_front.
  bool brings_front(RequestId request) const;

  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

  bool closed() const { return closed_; }
  /// The session is over: what it has not brought will not come.
  void fail_all(unsigned status, const std::string& why);
  const std::string& why_finished() const { return why_finished_; }

 private:
  struct Coming {
    std::uint64_t number = 0;
    std::shared_ptr<IncomingFile> file;
    std::shared_ptr<Renditions> renditions{};
    std::optional<OwnCmcd> cmcd{};
    PlayoutPlace place{};
    std::optional<TimePoint> due{};
    std::optional<TimePoint> player_stops{};  // without it
    std::optional<FailureReason> last_failure{};
  };

  void add(const demand::Want& want, TimePoint now);
  std::optional<Event> event_of(const demand::Want& want, TimePoint now, std::deque<TimedEvent>& happened);
  std::optional<Event> event_of(const demand::Due& due, TimePoint now);
  std::optional<Event> event_of(const demand::NotWanted& not_wanted);
  std::optional<Event> event_of(const demand::UseLink& use);
  std::optional<SegmentIndex> segment_of(std::uint64_t number) const;
  /// The segment on its way that a player needs last before one at this place.
  std::optional<SegmentIndex> in_front_of(const PlayoutPlace& place) const;
  Coming* coming_by(RequestId request);
  void look_for_waits(const StreamStatus& status, TimePoint now);
  void forget(std::map<SegmentIndex, Coming>::iterator coming);
  std::size_t qualities() const { return session_.table().quality_count(); }

  DemandQueue& queue_;
  std::optional<demand::Want> first_;
  const Session& session_;
  LinkUses& uses_;
  StatusRecorder& recorder_;
  StatusBoard& board_;
  Waits& waits_;
  std::map<SegmentIndex, Coming> coming_;
  std::map<SegmentIndex, DataSize> at_most_;  // WantedMedia::at_most; not forgotten, since answers come late
  SegmentIndex next_{};                       // the number of the next file
  TimePoint show_at_;
  bool links_told_ = false;  // those that are there at the beginning
  bool closed_ = false;
  std::string why_finished_;
};

}  // namespace tributary::proxy
