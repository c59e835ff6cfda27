#include "apps/get/front_download.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

// The answer may bring this many bytes that the file has already. A new connection costs about as much.
constexpr DataSize kPassedOver{1'000'000};
// Until the session has a connection over our link as well, and has divided what is left anew.
constexpr double kTakeTurns = 1;

}  // namespace

FrontDownload::FrontDownload(std::unique_ptr<FrontAnswer> answer, ByteRange brings, ChunkSink& sink,
                             const DownloadState& state, const std::vector<ByteRange>& chunks, Duration patience,
                             TimePoint now)
    : answer_{std::move(answer)},
      brings_{brings},
      sink_{sink},
      state_{state},
      chunks_{chunks},
      patience_{patience},
      began_{now},
      heard_{now} {}

void FrontDownload::advance(const SessionSeen& session, TimePoint now) {
  if (!answer_) return;
  stood_still_ = stood_still_ || silent(now);
  const std::vector<std::byte> came = answer_->take();
  if (!came.empty()) heard_ = now;
  for (std::span<const std::byte> bytes{came}; !bytes.empty();) {
    if (!goes_on(session, now)) return end();
    const DataSize size = std::min(alone_until(session) - brings_.begin, size_of(bytes));
    sink_.write(brings_.begin, bytes.first(static_cast<std::size_t>(size.bytes())));
    brings_.begin += size;
    received_ += size;
    bytes = bytes.subspan(static_cast<std::size_t>(size.bytes()));
  }
  if (answer_->ended() || !goes_on(session, now)) end();
}

std::optional<Duration> FrontDownload::time_to(DataSize place) const {
  if (!answer_ || stood_still_ || received_ == DataSize{} || heard_ == began_) return std::nullopt;
  return (place - brings_.begin) / (received_ / (heard_ - began_));
}

/// Everything behind this is the session's, or was.
DataSize FrontDownload::begun_by(const SessionSeen& session) const {
  return session.begun == 0 ? brings_.end : chunks_[session.begun - 1].begin;
}

/// Up to where nobody else brings what comes next; if somebody does, all of it.
DataSize FrontDownload::alone_until(const SessionSeen& session) const {
  const DataSize begun = begun_by(session);
  DataSize until = brings_.begin < begun ? begun : brings_.end;
  for (const ByteRange& here : state_.complete.ranges()) {
    if (here.begin > brings_.begin) until = std::min(until, here.begin);
  }
  return until;
}

bool FrontDownload::goes_on(const SessionSeen& session, TimePoint now) const {
  const std::vector<ByteRange> missing = state_.complete.gaps_in(brings_);
  if (missing.empty() || missing.front().begin - brings_.begin > kPassedOver) return false;
  return brings_.begin < begun_by(session) || !is_sooner(session, missing.back().end - brings_.begin, now);
}

/// Than this answer, which has to bring `ours`, or not much later: with our link it is sooner than it was without. In
/// doubt it is not. If this answer stood still, those of the session may do so yet.
bool FrontDownload::is_sooner(const SessionSeen& session, DataSize ours, TimePoint now) const {
  if (session.received == DataSize{} || now >= session.last_byte + patience_) return false;
  if (received_ == DataSize{} || stood_still_ || now < session.since + patience_) return false;
  const double its_time = (state_.size - state_.complete.size()) / session.received * to_seconds(now - session.since);
  return its_time < ours / received_ * to_seconds(now - began_) + kTakeTurns;
}

}  // namespace tributary
