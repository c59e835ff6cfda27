#include "core/requests/size_questions.hh"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/session_state.hh"

namespace tributary {
namespace {

constexpr std::size_t kAhead = 8;     // segments: those of a plan of qualities
constexpr double kGoodEnough = 0.05;  // error of estimates: a plan gains nothing by exact sizes

/// A live segment of the future has no size yet.
bool are_useful(const SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  return s.rules.size_questions && s.options.mode == StreamingMode::kOnDemand && table.quality_count() > 1 &&
         s.qualities.counts_with_sizes() && !s.book.whole_parts() && table.estimates().error(false) > kGoodEnough;
}

/// The link that has answered before, and would answer soonest. An origin that thinks about each answer is not asked.
std::optional<LinkId> soonest_link(const SessionState& s) {
  std::optional<LinkId> soonest;
  Duration answers_in = Duration::max();
  for (const LinkEstimate& link : s.links.estimates(s.book.outstanding(), s.now)) {
    if (!link.throughput || link.remembered || s.is_spared(link.link)) continue;
    if (link.answer_delay > Duration::zero()) return std::nullopt;
    if (link.free_in + link.round_trip >= answers_in) continue;
    answers_in = link.free_in + link.round_trip;
    soonest = link.link;
  }
  return soonest;
}

}  // namespace

void SizeQuestions::ask(SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  const SegmentIndex first = s.timeline.next_segment();
  if (first < seen_) next_ = first;  // after a seek
  seen_ = first;
  next_ = std::max(next_, first);
  const std::size_t end = to_index(first) + std::min(kAhead, s.timeline.existing());
  if (to_index(next_) >= end || !are_useful(s)) return;
  const std::optional<LinkId> link = soonest_link(s);
  if (!link) return;
  for (; to_index(next_) < end; next_ = next(next_)) {
    const QualityIndex newest = s.qualities.last();
    ask(*link, next_, newest, s);
    const auto other = static_cast<QualityIndex>(to_index(next_) % table.quality_count());
    if (other != newest && table.estimates().error(true) > kGoodEnough) ask(*link, next_, other, s);
  }
}

void SizeQuestions::ask(LinkId link, SegmentIndex segment, QualityIndex quality, SessionState& s) {
  if (!s.timeline.table().parts(segment, quality).back().resource.estimated) return;
  s.actions.push(action::AskSize{std::exchange(next_question_, next(next_question_)), link, segment, quality});
}

}  // namespace tributary
