#include "download/beside/front_download.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

// The answer may bring this many bytes that the file has already. A new connection costs about as much.
constexpr DataSize kPassedOver{1'000'000};
// Until the session has a connection over our link as well, and has divided what is left anew.
constexpr double kTakeTurns = 1;
constexpr int kRoundTripsOfALoss = 2;                        // until a lost packet has come again
constexpr Duration kAMoment = std::chrono::milliseconds{1};  // at least: no rate is infinite

}  // namespace

FrontDownload::FrontDownload(std::unique_ptr<FrontAnswer> answer, ByteRange brings, ChunkSink& sink,
                             const DownloadState& state, Duration patience, TimePoint now)
    : answer_{std::move(answer)},
      brings_{brings},
      sink_{sink},
      state_{state},
      patience_{patience},
      began_{now},
      heard_{now} {}

void FrontDownload::advance(const SessionSeen& session, TimePoint now) {
  if (!answer_) return;
  stood_still_ = stood_still_ || silent(now);
  const std::vector<std::byte> came = answer_->take();
  if (!came.empty()) {
    heard_ = now;
    of_a_lost_packet_ = kRoundTripsOfALoss * answer_->round_trip().value_or(Duration{});
  }
  for (std::span<const std::byte> bytes{came}; !bytes.empty();) {
    if (!goes_on(session, now)) return end();
    const DataSize size = std::min(alone_until(session) - brings_.begin, size_of(bytes));
    sink_.write(brings_.begin, bytes.first(static_cast<std::size_t>(size.bytes())));
    brings_.begin += size;
    received_ += size;
    bytes = bytes.subspan(static_cast<std::size_t>(size.bytes()));
  }
  if (answer_->ended() || !goes_on(session, now)) return end();
  if (!came.empty()) answer_->accept_at_most(goes_to(session, now) - brings_.begin);
}

std::optional<Duration> FrontDownload::time_to(DataSize place) const {
  if (!answer_ || stood_still_ || received_ == DataSize{} || heard_ == began_) return std::nullopt;
  return (place - brings_.begin) / (received_ / (heard_ - began_));
}

std::optional<DataSize> FrontDownload::meets_at(const SessionSeen& session, TimePoint now) const {
  const auto its = session.rate(now);
  if (!its || !both_bring(session, now)) return std::nullopt;
  const DataRate ours = received_ / (heard_ - began_ + kAMoment);
  return brings_.begin + scale(state_.size - state_.complete.size(), ours / (ours + *its));
}

/// The place in the file where this answer will be given up.
DataSize FrontDownload::goes_to(const SessionSeen& session, TimePoint now) const {
  if (brings_.begin >= session.from) return brings_.end;
  return session.begins_no_more ? session.from : std::min(session.from, meets_at(session, now).value_or(session.from));
}

/// Up to where nobody else brings what comes next; if somebody does, all of it.
DataSize FrontDownload::alone_until(const SessionSeen& session) const {
  DataSize until = brings_.begin < session.from ? session.from : brings_.end;
  for (const ByteRange& here : state_.complete.ranges()) {
    if (here.begin > brings_.begin) until = std::min(until, here.begin);
  }
  return until;
}

bool FrontDownload::goes_on(const SessionSeen& session, TimePoint now) const {
  const std::vector<ByteRange> missing = state_.complete.gaps_in(brings_);
  if (missing.empty() || missing.front().begin - brings_.begin > kPassedOver) return false;
  return brings_.begin < session.from || !is_sooner(session, missing.back().end - brings_.begin, now);
}

bool FrontDownload::hands_over(const SessionSeen& session, Duration within, TimePoint now) const {
  const auto time = time_to(session.from);
  return time && *time < within && both_bring(session, now) && session.stillest < patience_;
}

bool FrontDownload::both_bring(const SessionSeen& session, TimePoint now) const {
  return session.received > DataSize{} && now < session.last_byte + patience_ && received_ > DataSize{} &&
         !stood_still_;
}

/// Than this answer, which has to bring `ours`, or not much later: with our link it is sooner than it was without. In
/// doubt it is not. If this answer stood still, those of the session may do so yet.
bool FrontDownload::is_sooner(const SessionSeen& session, DataSize ours, TimePoint now) const {
  if (!both_bring(session, now)) return false;
  if (session.stillest < patience_) return true;  // the origin delays none of its answers, nor pauses within them
  if (now < session.since + patience_) return false;
  const double its_time = (state_.size - state_.complete.size()) / session.received * to_seconds(now - session.since);
  return its_time < ours / received_ * to_seconds(now - began_) + kTakeTurns;
}

}  // namespace tributary
