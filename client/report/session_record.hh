#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/costs/link_cost.hh"
#include "core/session_options.hh"
#include "core/world.hh"
#include "presentation/segments/segment_table.hh"
#include "units/byte_set.hh"

namespace tributary {

/// The history of one segment. Times are since the start of the session.
struct SegmentRecord {
  SegmentIndex segment{};
  bool skipped = false;
  std::optional<TimePoint> skipped_at;
  Duration skip_lag{};
  std::string skip_reason;
  bool missing = false;  // it was skipped because the origin does not have it
  QualityIndex quality{};
  DataSize size;
  bool estimated = false;  // until the segment is complete, the size is an estimate
  std::uint32_t init_parts = 0;
  std::optional<QualityIndex>
      lowered_from;            // first requested in this quality, which would have come too late, or was not there
  DataSize received;           // more than `size` if bytes came twice, or before the segment was lowered
  DataSize carried_until_due;  // if late: bytes of it and later segments when playout stood still
  std::optional<TimePoint> published, requested, first_byte, complete, due, played;
  Duration miss{};
  std::uint32_t buffered_segments = 0;  // at the request
  std::uint64_t frames = 0;             // of its picture, where they are told
  std::uint64_t frames_lost = 0;        // it was played without these
  std::optional<DataRate> throughput;   // the aggregate estimate at the request
  std::vector<ByteSet> here{};          // by part; empty once the segment is complete
  std::optional<Duration> lag() const;
};

struct RequestRecord {
  RequestId id{};
  LinkId link{}, lane{};  // the same, unless the link has several connections
  SegmentIndex segment{};
  std::uint32_t part = 0;
  ByteRange range;
  DataSize behind;  // bytes that the link already owed
  TimePoint sent;
  std::optional<DataRate> estimate;
  std::optional<RequestId> takes_over;  // the request to another link that seemed late with these bytes
  std::optional<TimePoint> first_byte{}, last_byte{}, ended{};
  DataSize received{};
  DataSize twice{};                    // of these, bytes that were here already
  bool dropped = false;                // its bytes are no longer wanted
  std::string status = "outstanding";  // or "done", or the name of a failure
};

struct LinkRecord {
  struct Change {
    TimePoint at;
    bool up = false;
  };

  std::string name;
  bool up = false;
  std::vector<Change> changes;
  std::optional<Duration> round_trip;
  LinkCost cost;
  DataSize received;
  DataSize in_vain;  // of these: they were here already, or their segment was dropped
  std::uint64_t requests = 0, failures = 0;
  std::uint32_t connections = 1, most_connections = 1;
  std::uint32_t outstanding = 0;
  DataSize outstanding_bytes;
  Duration busy{};  // time with a request outstanding
  std::optional<TimePoint> busy_since;

  /// Whether the link was up all the time, both moments included.
  bool up_between(TimePoint from, TimePoint until) const;
};

/// One link over one interval of time.
struct LinkSample {
  TimePoint at;  // the end of the interval
  LinkId link{};
  bool up = false;
  DataSize received;
  std::optional<Duration> round_trip;
  DataSize outstanding_bytes;
};

/// The history of a session, for reports. Sees only events and actions, so a replayed session gives the same record as
/// the original.
class SessionRecord : public SessionObserver {
 public:
  static constexpr Duration kSampleEvery = std::chrono::milliseconds{500};

  /// The table must outlive the record. With `segments_kept`, for sessions that last for hours, keeps only this number
  /// of segments, with their requests, and only those since the last seek.
  explicit SessionRecord(const SegmentTable& table, std::optional<std::size_t> segments_kept = std::nullopt);
  SessionRecord(const SessionRecord&) = delete;  // last_asked_ points into segments_

  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

  const SegmentTable& table() const { return table_; }
  const std::map<SegmentIndex, SegmentRecord>& segments() const { return segments_; }
  /// In the order of their ids, without gaps.
  const std::deque<RequestRecord>& requests() const { return requests_; }
  /// Null if the request was forgotten.
  const RequestRecord* find_request(RequestId id) const;
  const std::map<LinkId, LinkRecord>& links() const { return links_; }
  const std::deque<LinkSample>& samples() const { return samples_; }
  TimePoint now() const { return now_; }
  std::uint64_t speed_changes() const { return speed_changes_; }
  bool complete() const { return complete_; }
  const std::string& ended_because() const { return ended_because_; }

 private:
  void move_to(TimePoint at);
  void received(const event::BytesReceived& e, TimePoint at);
  /// Of these bytes, those that were here already, or are not wanted.
  DataSize in_vain(const RequestRecord& request, DataSize size);
  RequestRecord& request(RequestId id) { return requests_[to_index(id) - to_index(requests_.front().id)]; }
  void request_ended(RequestId id, std::string status, TimePoint at);
  void drop(SegmentIndex segment);
  static void begin_anew(SegmentRecord& segment);
  SegmentRecord& segment(SegmentIndex index);
  void playout_stands_still();
  void link_changed(LinkId id, bool up, TimePoint at);
  void forget_before(SegmentIndex segment);
  void forget_all();
  void forget_requests();

  const SegmentTable& table_;
  TimePoint now_;
  TimePoint next_sample_{kSampleEvery};
  std::map<SegmentIndex, SegmentRecord> segments_;
  SegmentRecord* last_asked_ = nullptr;  // of segments_
  std::optional<std::size_t> segments_kept_;
  RequestId last_before_seek_{};
  std::deque<RequestRecord> requests_;
  std::map<LinkId, LinkRecord> links_;
  std::map<LinkId, DataSize> received_at_last_sample_;
  std::deque<LinkSample> samples_;
  std::uint64_t speed_changes_ = 0;  // that were steered
  bool complete_ = false;
  std::string ended_because_;
};

}  // namespace tributary
