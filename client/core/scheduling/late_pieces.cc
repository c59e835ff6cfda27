#include "core/scheduling/late_pieces.hh"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/session_state.hh"

namespace tributary {
namespace {

constexpr Duration kRest = std::chrono::seconds{2};  // of a link that is left; twice as long the next time
constexpr Duration kMostRest = std::chrono::seconds{8};
constexpr Duration kAskedLate = std::chrono::milliseconds{300};
constexpr Duration kUnmeasured = std::chrono::seconds{2};     // for all before a piece, over a link without a rate
constexpr Duration kMostPatience = std::chrono::seconds{8};   // then its connection decides
constexpr Duration kLongestUsual = std::chrono::seconds{10};  // an origin that is later is not waited for

bool is_piece(const OutstandingRequest& request, const SessionState& s) {
  if (!request.to_the_end || request.abandoned) return false;
  const auto segment = std::ranges::find(s.book.segments(), request.segment, &SegmentAssembly::segment);
  return segment != s.book.segments().end() && s.part_of(*segment, request.part).resource.piece.has_value();
}

/// It was asked for some time after it was published. Its file may come anew, from the front: the pieces before it come first.
bool was_asked_late(const OutstandingRequest& request, const SessionState& s) {
  const auto age = s.timeline.age(request.segment, request.sent);
  return age && *age >= kAskedLate;
}

/// Twice the time that those take.
Duration time_for_others(const OutstandingRequest& request, const Link& link, const SessionState& s) {
  const auto rate = link.estimator->throughput();
  if (!was_asked_late(request, s)) return {};
  if (!rate) return kUnmeasured;
  const SegmentAssembly& segment = *std::ranges::find(s.book.segments(), request.segment, &SegmentAssembly::segment);
  return 2 * s.part_of(segment, request.part).resource.piece->index * (request.range.size() / *rate);
}

bool another_may_do_better(LinkId than, const SessionState& s) {
  return std::ranges::any_of(s.links_now(), [&](const LinkNow& link) {
    return link.link != than && link.usable && !silent_too_long(link) && !s.is_spared(link.link);
  });
}

}  // namespace

bool LatePieces::may_be_late(const SessionState& s) {
  return s.timeline.table().has_pieces() && s.links.all().size() > 1 && !s.book.outstanding().empty();
}

/// A request that is not without bytes any more has told how long that was. Those of a link that was left tell nothing.
void LatePieces::learn(const SessionState& s) {
  std::map<RequestId, Duration> waits;
  for (const OutstandingRequest& request : s.book.outstanding().all()) {
    if (request.received == DataSize{} && s.links.is_usable(request.link, s.now) && is_piece(request, s) &&
        !was_asked_late(request, s))
      waits[request.id] = s.now - request.sent;
  }
  for (const auto& [id, waited] : waits_) {
    if (waits.contains(id)) continue;
    const OutstandingRequest* const request = s.book.outstanding().find(id);
    if (request != nullptr && request->received == DataSize{}) continue;
    usual_ = std::min(std::max(waited, usual_ * 7 / 8), kLongestUsual);
    patience_ = kPatience;
  }
  waits_ = std::move(waits);
}

void LatePieces::look(SessionState& s) {
  if (!may_be_late(s)) return waits_.clear();
  learn(s);
  std::vector<LinkId> late;
  for (const auto& [id, link] : s.links.all()) {
    const OutstandingRequest* const head = s.book.outstanding().head(id);
    if (head == nullptr || !link.usable(s.now) || !is_piece(*head, s)) continue;
    const Duration patience = usual_ + patience_ + time_for_others(*head, link, s);
    if (s.now - link.active_at(*head) >= patience && another_may_do_better(id, s)) late.push_back(id);
  }
  for (const LinkId id : late) {
    Link& link = s.links.at(id);
    const std::string why = fmt::format("a piece does not come for {:.3f} s", to_seconds(usual_ + patience_));
    std::erase_if(waits_, [&](const auto& wait) { return s.book.outstanding().find(wait.first)->link == id; });
    patience_ = std::min(2 * patience_, kMostPatience);
    link.avoided_until = s.now + std::min(kRest * (1 << std::min(link.failures_in_a_row, 4U)), kMostRest);
    ++link.failures_in_a_row;
    s.actions.push(action::AvoidLink{id, link.avoided_until, why});
    abandon(id, why, s.actions);
  }
}

}  // namespace tributary
