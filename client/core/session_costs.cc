// How links are asked when using some of them costs something. What they are asked for is decided by spending.hh.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/session.hh"
#include "core/take_over.hh"

namespace tributary {
namespace {

constexpr DataSize kSmallest{10'000};  // less is not worth a request

}  // namespace

void Session::on(const event::LinkCostTold& e) { spending_.costs.told(e.link, e); }

Spending::Situation Session::spending_situation() const {
  std::size_t may_start = 0;
  if (may_start_segment()) {
    const std::size_t known =
        is_live(options_.mode) ? std::min(published_at_.size(), table_.segment_count()) : table_.segment_count();
    may_start = std::min(options_.buffer_segments - assembling_.size() - playout_.buffered_segments(),
                         known - to_index(next_segment_));
  }
  return {table_,    options_,      links_,        outstanding_,  playout_,      assembling_,  next_segment_,
          may_start, last_quality_, start_wanted_, wait_.since(), wants_bytes(), whole_parts_, now_};
}

/// They are left alone until it is told that they may bring more.
void Session::look_for_used_up_links() {
  if (!spending_.costs.limited()) return;
  const Spending::Situation situation = spending_situation();
  const auto used_up = spending_.used_up(situation);
  for (const auto& [id, known] : links_.all()) {
    Link& link = links_.at(id);
    const auto why = used_up.find(id);
    if (why != used_up.end() && !link.used_up) actions_.push_back(action::AvoidLink{id, std::nullopt, why->second});
    link.used_up = why != used_up.end();
  }
  spending_.look_for_what_is_left(situation);
}

/// As the end of a sentence; empty if there are none.
std::string Session::used_up_links() const {
  std::string text;
  for (const auto& [id, why] : spending_.used_up(spending_situation()))
    text += fmt::format("; {} may not bring more: {}", links_.at(id).name, why);
  return text;
}

bool Session::ask_by_cost() {
  quiet_until_ = TimePoint::min();
  const LinksNow present = links_.now(outstanding_, now_);
  LinkEstimates free, spared;
  for (const LinkEstimate& link : links_.estimates(present, outstanding_)) {
    if (!spending_.costs.used_up(link.link)) (is_spared(link.link) ? spared : free).push_back(link);
  }
  std::ranges::sort(spared, {}, [&](const LinkEstimate& l) {
    return std::pair{spending_.costs.of(l.link).price_per_mb, l.link};
  });
  if (hand_over(present)) return true;
  if (const LinkIds to_ask = with_room(free); !to_ask.empty()) {
    spending_.reserve_for(spared, free, spending_situation());
    if (std::ranges::any_of(to_ask, [&](LinkId link) { return ask_link(link, present, free); })) return true;
  }
  if (free.empty() && spending_.free_link_alive(now_) && !playout_.started()) return false;  // it comes up in a moment
  for (const LinkEstimate& link : spared) {
    if (ask_spared(link, free)) return true;
    free.push_back(link);  // for those that are dearer
  }
  return false;
}

bool Session::has_room(const LinkEstimate& link) const {
  if (byte_window_) return byte_window_->has_room(link.link, link.throughput, link.round_trip, outstanding_);
  return scheduler_.may_ask(link.link, outstanding_);
}

LinkIds Session::with_room(const LinkEstimates& links) const {
  if (byte_window_) return byte_window_->links_to_ask(links, outstanding_);
  LinkIds ids;
  for (const LinkEstimate& link : links) ids.push_back(link.link);
  return scheduler_.links_to_ask(ids, outstanding_);
}

/// For what the free links cannot bring in time, once it is the last moment.
bool Session::ask_spared(const LinkEstimate& link, const LinkEstimates& free) {
  if (!has_room(link)) return false;
  const Spending::Situation situation = spending_situation();
  const Claims claims = spending_.claims_on(free, situation);
  const ClaimSizes sizes = spending_.shortages_of(claims, free, situation);
  if (std::ranges::none_of(sizes, [](DataSize size) { return size > DataSize{}; })) return false;
  const std::size_t pressing = spending_.pressing_on(link, claims, sizes, situation);
  for (std::size_t i = 0; i < pressing; ++i) {
    if (sizes[i] <= DataSize{}) continue;
    while (i >= assembling_.size()) start_segment(free);
    if (ask_short(link, assembling_[i], sizes[i], claims[i].due)) return true;
  }
  return false;
}

bool Session::ask_short(const LinkEstimate& link, SegmentAssembly& segment, DataSize size,
                        std::optional<TimePoint> due) {
  if (whole_parts_ && spending_.costs.left(link.link)) return false;  // it could not be asked for a part of one
  const std::string why = fmt::format("{} bytes would be late over what costs less", size.bytes());
  if (!segment.given_back().empty()) {
    const WantedRange wanted = segment.take_given_back(0);
    send_allowed(link.link, segment, wanted, why);
    return true;
  }
  if (std::optional<WantedRange> wanted = segment.next_new()) {
    if (!whole_parts_) {
      const DataSize left = std::min(segment.new_bytes(), std::max(size, kSmallest));
      const DataSize planned = std::min(planner_->next_size(left, link.link, std::array{link}), wanted->range.size());
      if (planned <= DataSize{}) return false;
      planner_->taken(planned);
      wanted->range.end = wanted->range.begin + planned;
    }
    segment.take_new(wanted->range.size());
    send_allowed(link.link, segment, *wanted, why);
    return true;
  }
  return duplicate_late(link, segment, due);
}

/// A range that a free link will not bring, or after it is due.
bool Session::duplicate_late(const LinkEstimate& link, SegmentAssembly& segment, std::optional<TimePoint> due) {
  if (whole_parts_ || !due) return false;
  auto links = links_.now(outstanding_, now_);
  for (LinkNow& other : links) {
    if (other.link == link.link && !other.rate) other.rate = Spending::guess_of_rate(spending_situation());
  }
  spending_.leave_out_spared(links, now_);
  DuplicatesLeft duplicates = may_be_duplicated();
  duplicates.size = std::min(duplicates.size, spending_.costs.left(link.link).value_or(duplicates.size));
  const TimePoint in_time = *due - Spending::margin_of({link}, spending_situation()) / 4;
  if (rescue_lost(link.link, links, segment, in_time)) return true;
  if (!rules_.take_over) return false;
  const auto found = take_over(link.link, links, outstanding_, segment.segment(), in_time, duplicates, now_);
  if (!found || found->late <= Duration::zero()) return false;
  take_over_late_from(*found, link.link, segment);
  return true;
}

/// As much of it as the link may still be asked for; what is left is wanted again.
void Session::send_allowed(LinkId link, SegmentAssembly& segment, WantedRange wanted, std::string reason) {
  const DataSize most = spending_.costs.left(link).value_or(wanted.range.size());
  if (wanted.range.size() > most) {
    WantedRange rest = wanted;
    rest.range.begin = wanted.range.end = wanted.range.begin + most;
    segment.give_back(rest);
  }
  send(link, segment, wanted, std::move(reason));
}

}  // namespace tributary
