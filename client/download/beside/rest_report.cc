#include "download/beside/rest_report.hh"

#include <algorithm>

namespace tributary {
namespace {

constexpr Duration kProgress = std::chrono::milliseconds{250};
constexpr DataSize kNotWorthARequest{8000};

}  // namespace

RestReport::RestReport(const std::vector<ByteRange>& chunks, const DownloadState& state)
    : chunks_{chunks}, state_{state}, rest_{chunks.size()} {}

std::optional<event::RestArrived> RestReport::next(const std::optional<Front>& front, const SessionSeen& session,
                                                   DataSize received, TimePoint now) {
  const std::size_t before = rest_;
  if (received > received_) {
    while (rest_ > 0 && state_.complete.gaps_in(chunks_[rest_ - 1]).empty()) --rest_;
  }
  const Share share = this->share(front, session);
  const bool rest = brings_the_rest(share, session), ends = share.here == share.until && share != share_;
  if (rest_ == before && rest == brings_rest_ && !ends && (received == received_ || now < at_)) return std::nullopt;
  received_ = received;
  brings_rest_ = rest;
  share_ = share;
  at_ = now + kProgress;
  const auto coming = rest ? std::optional{static_cast<SegmentIndex>(session.begun)} : std::nullopt;
  return event::RestArrived{static_cast<SegmentIndex>(rest_), coming, static_cast<SegmentIndex>(share.chunk),
                            share.here, share.until};
}

/// What the first answer brings of the chunk that the session begins next, or has begun as its last.
RestReport::Share RestReport::share(const std::optional<Front>& front, const SessionSeen& session) const {
  const std::size_t index = session.begins_no_more ? session.begun - 1 : session.begun;
  if (!front || index >= rest_) return {};
  const ByteRange& chunk = chunks_[index];
  const auto of_chunk = [&](DataSize place) { return std::clamp(place, chunk.begin, chunk.end) - chunk.begin; };
  const DataSize here = of_chunk(front->position);
  if (!front->goes_on) return {index, here, here};
  const auto meet = session.begins_no_more ? session.from : front->meets_at;
  return {index, here, std::max(here, of_chunk(meet.value_or(chunk.begin)))};
}

/// The session is to begin no further chunk: the first answer will have brought it, or nearly all of it.
bool RestReport::brings_the_rest(const Share& share, const SessionSeen& session) const {
  if (share.until == share.here) return false;
  return session.begins_no_more || share.until + kNotWorthARequest > chunks_[share.chunk].size();
}

}  // namespace tributary
