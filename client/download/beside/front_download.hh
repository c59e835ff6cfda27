#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "download/beside/session_seen.hh"
#include "download/files/chunk_sink.hh"
#include "download/files/download_state.hh"
#include "download/search/front_answer.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Fills the file from the front by the answer to the first question, as long as that is the soonest way.
class FrontDownload {
 public:
  /// Sink and state must outlive it. `patience` is the longest silence of an origin that is not slow.
  FrontDownload(std::unique_ptr<FrontAnswer> answer, ByteRange brings, ChunkSink& sink, const DownloadState& state,
                Duration patience, TimePoint now);

  /// Writes the bytes that have come. Throws WriteError.
  void advance(const SessionSeen& session, TimePoint now);
  /// Gives the answer up.
  void end() { answer_.reset(); }

  bool running() const { return answer_ != nullptr; }
  /// True if nothing has come for the length of the patience, though the answer has not ended.
  bool silent(TimePoint now) const { return now >= silent_at(); }
  TimePoint silent_at() const { return heard_ + std::max(patience_, of_a_lost_packet_); }
  DataSize received() const { return received_; }
  /// The place in the file of the next byte.
  DataSize position() const { return brings_.begin; }
  /// The session has begun what follows, will soon reach it, and lets no request wait: it can have the link.
  bool hands_over(const SessionSeen& session, Duration within, TimePoint now) const;
  /// The place in the file that the answer will have come to when both have brought everything, at their rates so far;
  /// nothing if one of them stands still, or the session has no rate yet.
  std::optional<DataSize> meets_at(const SessionSeen& session, TimePoint now) const;
  /// The time until the answer reaches this place, at its rate so far; nothing if no rate is known.
  std::optional<Duration> time_to(DataSize place) const;
  /// Until it has brought all that it is to bring, as time_to().
  std::optional<Duration> time_left() const { return time_to(brings_.end); }
  /// Of now, with the queue that the answer fills; nothing if that is not known.
  std::optional<Duration> round_trip() const { return answer_ ? answer_->round_trip() : std::nullopt; }
  /// Packets of it were lost, or overtaken.
  bool out_of_order() const { return answer_ && answer_->out_of_order(); }
  TimePoint began() const { return began_; }
  /// When the last byte came.
  TimePoint heard() const { return heard_; }

 private:
  bool goes_on(const SessionSeen& session, TimePoint now) const;
  DataSize alone_until(const SessionSeen& session) const;
  DataSize goes_to(const SessionSeen& session, TimePoint now) const;
  bool both_bring(const SessionSeen& session, TimePoint now) const;
  bool is_sooner(const SessionSeen& session, DataSize ours, TimePoint now) const;

  std::unique_ptr<FrontAnswer> answer_;  // as long as it goes on
  ByteRange brings_;                     // what is still to come
  ChunkSink& sink_;
  const DownloadState& state_;
  Duration patience_;
  Duration of_a_lost_packet_{};  // a silence, by the round trip of now
  TimePoint began_, heard_;
  DataSize received_;
  bool stood_still_ = false;
};

}  // namespace tributary
