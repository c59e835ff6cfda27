#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "apps/get/files/chunk_sink.hh"
#include "apps/get/files/download_state.hh"
#include "apps/get/front_answer.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The progress of a session that fetches the same object from its last chunk towards the front.
struct SessionSeen {
  std::size_t begun = 0;  // chunks
  DataSize received{};
  TimePoint since, last_byte;  // of its first request
};

/// Fills the file from the front by the answer to the first question, as long as that is the soonest way.
class FrontDownload {
 public:
  /// Sink, state and chunks must outlive it. `chunks` has one range for each segment. `patience` is the longest silence
  /// of an origin that is not slow.
  FrontDownload(std::unique_ptr<FrontAnswer> answer, ByteRange brings, ChunkSink& sink, const DownloadState& state,
                const std::vector<ByteRange>& chunks, Duration patience, TimePoint now);

  /// Writes the bytes that have come. Throws WriteError.
  void advance(const SessionSeen& session, TimePoint now);
  /// Gives the answer up.
  void end() { answer_.reset(); }

  bool running() const { return answer_ != nullptr; }
  /// True if nothing has come for the length of the patience, though the answer has not ended.
  bool silent(TimePoint now) const { return now >= heard_ + patience_; }
  TimePoint silent_at() const { return heard_ + patience_; }
  DataSize received() const { return received_; }
  /// The place in the file of the next byte.
  DataSize position() const { return brings_.begin; }
  /// The time until the answer reaches this place, at its rate so far; nothing if no rate is known.
  std::optional<Duration> time_to(DataSize place) const;
  TimePoint began() const { return began_; }
  /// When the last byte came.
  TimePoint heard() const { return heard_; }

 private:
  bool goes_on(const SessionSeen& session, TimePoint now) const;
  DataSize alone_until(const SessionSeen& session) const;
  DataSize begun_by(const SessionSeen& session) const;
  bool is_sooner(const SessionSeen& session, DataSize ours, TimePoint now) const;

  std::unique_ptr<FrontAnswer> answer_;  // as long as it goes on
  ByteRange brings_;                     // what is still to come
  ChunkSink& sink_;
  const DownloadState& state_;
  const std::vector<ByteRange>& chunks_;
  Duration patience_;
  TimePoint began_, heard_;
  DataSize received_;
  bool stood_still_ = false;
};

}  // namespace tributary
