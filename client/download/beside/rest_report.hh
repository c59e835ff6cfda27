#pragma once

#include <optional>
#include <vector>

#include "core/event.hh"
#include "download/beside/session_seen.hh"
#include "download/files/download_state.hh"
#include "units/session_clock.hh"

namespace tributary {

/// What a session is told of the chunks that come beside it: those that are complete, and what of the next one the first
/// answer brings.
class RestReport {
 public:
  /// The first answer, which fills the file from its front.
  struct Front {
    DataSize position;                 // of its next byte
    bool goes_on = false;              // and does not stand still
    std::optional<DataSize> meets_at;  // FrontDownload::meets_at()
  };

  /// Both must outlive it. `chunks` by segment, from the last one in the file towards the front.
  RestReport(const std::vector<ByteRange>& chunks, const DownloadState& state);

  /// The event that the session is to be told now. If nothing has changed, or little since a moment ago, there is none.
  /// `received`: bytes of all answers beside the session.
  std::optional<event::RestArrived> next(const std::optional<Front>& front, const SessionSeen& session,
                                         DataSize received, TimePoint now);

 private:
  /// Bytes of a chunk, from its front.
  struct Share {
    std::size_t chunk = 0;
    DataSize here, until;
    bool operator==(const Share&) const = default;
  };
  Share share(const std::optional<Front>& front, const SessionSeen& session) const;
  bool brings_the_rest(const Share& share, const SessionSeen& session) const;

  const std::vector<ByteRange>& chunks_;
  const DownloadState& state_;
  std::size_t rest_;  // all chunks from there on are complete
  TimePoint at_;      // of what has come, though no chunk is complete
  DataSize received_;
  bool brings_rest_ = false;
  Share share_;
};

}  // namespace tributary
