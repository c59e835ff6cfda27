// How links are asked when using some of them costs something.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/session.hh"
#include "core/shortage.hh"
#include "core/take_over.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

// What is asked of a spared link is to be there so long before it is due: half a segment, as far as that is not more than this.
// Rates that stay as they are would need less, and cost the same; a free link that slows down is noticed within half of it.
constexpr Duration kMostMargin = 1s;
constexpr double kRoundTripsOfMargin = 4;  // a lost packet, and what waits behind it
// A download has no deadlines: only when no free link brings anything for so long are the others asked.
constexpr Duration kPatience = 10s;
constexpr Duration kComesBackAtOnce = 500ms;
constexpr DataSize kSmallest{10'000};  // less is not worth a request
constexpr double kSafety = 0.8;        // of the rates of all links, what a quality may take that is paid for

}  // namespace

void Session::on(const event::LinkCostTold& e) {
  costs_.told(e.link, e);
}

/// There is one, or was a moment ago: links come up one after the other, and some come back at once.
bool Session::free_link_alive() const { return now_ < free_until_; }

void Session::look_for_free_links() {
  const bool there = std::ranges::any_of(links_.all(), [&](const auto& entry) {
    const Link& link = entry.second;
    return link.up && link.wanted() && !link.avoided_for_good && !link.used_up && !costs_.spared(entry.first);
  });
  if (there || links_.empty()) free_until_ = now_ + kComesBackAtOnce;
}

/// They are left alone until it is told that they may bring more.
void Session::look_for_used_up_links() {
  bool may_come = links_.empty() || !outstanding_.empty() || !wants_bytes(), any = false;
  for (const auto& [id, known] : links_.all()) {
    Link& link = links_.at(id);
    const std::string why = why_used_up(id);
    if (!why.empty() && !link.used_up) actions_.push_back(action::AvoidLink{id, std::nullopt, why});
    link.used_up = !why.empty();
    any = any || link.used_up;
    may_come = may_come || !(link.used_up || link.avoided_for_good || link.use == LinkUse::kDoNotUse);
  }
  if (!any || may_come) {
    nothing_left_since_.reset();
  } else if (!nothing_left_since_) {
    nothing_left_since_ = now_;
  }
}

/// Empty if it may bring more, or is to be allowed more in a moment.
std::string Session::why_used_up(LinkId link) const {
  if (costs_.used_up_for_good(link)) return costs_.of(link).why_not_more;
  return whole_parts_ && costs_.left(link) ? "the server sends files only whole, which might be more than it may bring" : "";
}

std::string Session::used_up_links() const {
  std::string text;
  for (const auto& [id, link] : links_.all()) {
    if (link.used_up) text += fmt::format("; {} may not bring more: {}", link.name, why_used_up(id));
  }
  return text;
}

/// Links come up one after the other, and some come back at once.
bool Session::nothing_left() const {
  return nothing_left_since_ && now_ >= *nothing_left_since_ + kComesBackAtOnce && !options_.stays_open;
}

/// Where no free link is alive, those that cost no money take their place.
bool Session::is_spared(LinkId link) const {
  const CostKind kind = costs_.of(link).kind;
  return kind == CostKind::kPaid || (kind != CostKind::kFree && free_link_alive());
}

bool Session::ask_by_cost() {
  quiet_until_ = TimePoint::min();
  std::vector<LinkEstimate> free = links_.estimates(outstanding_, now_), spared;
  std::erase_if(free, [&](const LinkEstimate& l) { return costs_.used_up(l.link); });
  for (const LinkEstimate& link : free) {
    if (is_spared(link.link)) spared.push_back(link);
  }
  std::erase_if(free, [&](const LinkEstimate& l) { return is_spared(l.link); });
  std::ranges::stable_sort(spared, {}, [&](const LinkEstimate& l) { return costs_.of(l.link).price_per_mb; });
  reserve_for(spared, free);
  if (std::ranges::any_of(with_room(free), [&](LinkId link) { return ask_link(link, free); })) return true;
  if (free.empty() && free_link_alive() && !playout_.started()) return false;  // it comes up in a moment
  for (const LinkEstimate& link : spared) {
    if (ask_spared(link, free)) return true;
    free.push_back(link);  // for those that are dearer
  }
  return false;
}

std::vector<LinkId> Session::with_room(const std::vector<LinkEstimate>& links) const {
  if (byte_window_) return byte_window_->links_to_ask(links, outstanding_);
  std::vector<LinkId> ids;
  for (const LinkEstimate& link : links) ids.push_back(link.link);
  return scheduler_.links_to_ask(ids, outstanding_);
}

/// When playout, or whoever waits for its start, wants a segment for which `ahead` is there or on its way; nothing: nobody waits.
std::optional<TimePoint> Session::wanted_by(Duration ahead, QualityIndex quality) const {
  if (const auto due = playout_.next_due()) return *due + play_time(ahead);
  const bool nobody_else = !free_link_alive() || now_ >= last_byte_ + kPatience;
  if (options_.mode == StreamingMode::kDownload) return nobody_else ? std::optional{now_} : std::nullopt;
  if (playout_.started()) return std::nullopt;  // it is paused
  if (nobody_else) return now_;
  if (!start_wanted_ || options_.spend_for == kSpendForStall || quality > spend_for()) return std::nullopt;
  // A late start is no stall: there is no need to be earlier.
  return *start_wanted_ + options_.segments_to_start() * table_.duration(next_to_come()) + kMostMargin;
}

/// Of each segment that is being received what no spared link was asked for, and of those for which there is room in the buffer
/// all of it, as large as the one before. What a free link owes that may be dead is missing, too.
std::vector<Claim> Session::claims_on(const std::vector<LinkEstimate>& free) const {
  const auto counts = [&](LinkId link) {
    return !is_spared(link) || std::ranges::find(free, link, &LinkEstimate::link) != free.end();
  };
  std::vector<Claim> claims;
  Duration ahead = playout_.buffered();
  for (const SegmentAssembly& segment : assembling_) {
    const DataSize not_asked_for = segment.new_bytes() + segment.given_back_bytes();
    Claim& claim = claims.emplace_back(wanted_by(ahead, segment.quality()), not_asked_for);
    for (const OutstandingRequest& request : outstanding_.all()) {
      if (request.segment == segment.segment() && !request.abandoned && counts(request.link))
        claim.missing += request.owed_alone().size();
    }
    ahead += table_.duration(segment.segment());
  }
  std::size_t room = may_start_segment() ? options_.buffer_segments - assembling_.size() - playout_.buffered_segments() : 0;
  const std::size_t known = is_live(options_.mode) ? std::min(published_at_.size(), table_.segment_count()) : table_.segment_count();
  for (SegmentIndex next_one = next_segment_; room > 0 && to_index(next_one) < known; next_one = next(next_one), --room) {
    claims.push_back({wanted_by(ahead, last_quality_), table_.size(next_one, last_quality_)});
    ahead += table_.duration(next_one);
  }
  return claims;
}

Carrier Session::carrier(const LinkEstimate& link) const {
  Carrier result{link.throughput, link.free_in, outstanding_.bytes_left(link.link)};
  if (!byte_window_ && link.throughput) result.free_in = result.owed / *link.throughput;
  return result;
}

std::vector<DataSize> Session::shortages_of(const std::vector<Claim>& claims, const std::vector<LinkEstimate>& free) const {
  std::vector<Carrier> carriers;
  for (const LinkEstimate& link : free) {
    Carrier& added = carriers.emplace_back(carrier(link));
    if (!added.rate && is_spared(link.link)) carriers.pop_back();  // what it can do will be seen
  }
  return shortages(claims, carriers, margin_of(free), now_);
}

Duration Session::margin_of(const std::vector<LinkEstimate>& links) const {
  Duration round_trip{};
  for (const LinkEstimate& link : links) round_trip = std::max(round_trip, link.round_trip);
  const Duration half_a_segment = table_.duration(next_to_come()) / 2;
  return std::max(std::min(half_a_segment, kMostMargin), from_seconds(kRoundTripsOfMargin * to_seconds(round_trip)));
}

/// What an unmeasured link is taken for until it has answered: enough to keep up by itself, and no more.
DataRate Session::guess_of_rate() const { return table_.bitrate(last_quality_); }

/// What the free links leave of each segment to those that are spared, as far as these can bring it before it is due.
void Session::reserve_for(const std::vector<LinkEstimate>& spared, const std::vector<LinkEstimate>& free) {
  reserved_.clear();
  if (spared.empty() || free.empty()) return;
  const std::vector<Claim> claims = claims_on(free);
  const std::vector<DataSize> sizes = shortages_of(claims, free);
  DataSize before;
  for (std::size_t i = 0; i < std::min(claims.size(), assembling_.size()); ++i) {
    if (sizes[i] <= DataSize{}) continue;
    DataSize possible;
    for (const LinkEstimate& link : spared) {
      Carrier carried = carrier(link);
      if (!carried.rate) carried.rate = guess_of_rate();
      const DataSize brings = carried.brings_in(std::max(*claims[i].due - now_, Duration::zero())) - carried.owed;
      possible += std::clamp(brings, DataSize{}, costs_.left(link.link).value_or(std::max(brings, DataSize{})));
    }
    const DataSize left_to_spared = std::clamp(possible - before, DataSize{}, sizes[i]);
    before += left_to_spared;
    reserved_.emplace_back(assembling_[i].segment(), left_to_spared);
  }
}

DataSize Session::unreserved(const SegmentAssembly& segment) const {
  for (const auto& [index, size] : reserved_) {
    if (index == segment.segment()) return segment.new_bytes() - size;
  }
  return segment.new_bytes();
}

/// CATS (Agirbas 2018, section 3.4), decided by the client: what the free links cannot bring in time, at the last moment at which
/// this link still can.
bool Session::ask_spared(const LinkEstimate& link, const std::vector<LinkEstimate>& free) {
  if (with_room({link}).empty()) return false;
  const std::vector<Claim> claims = claims_on(free);
  const std::vector<DataSize> sizes = shortages_of(claims, free);
  const auto at = last_moment(claims, sizes, carrier(link), guess_of_rate(), margin_of({link}));
  if (!at || *at > now_) return false;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (sizes[i] <= DataSize{}) continue;
    while (i >= assembling_.size()) start_segment(free);
    if (ask_short(link, assembling_[i], sizes[i], claims[i].due)) return true;
  }
  return false;
}

bool Session::ask_short(const LinkEstimate& link, SegmentAssembly& segment, DataSize size, std::optional<TimePoint> due) {
  if (whole_parts_ && costs_.left(link.link)) return false;  // it could not be asked for a part of one
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

/// Dearer links do not come to help.
void Session::leave_out_spared(std::span<LinkNow> links) const {
  for (LinkNow& link : links) link.usable = link.usable && !is_spared(link.link);
}

/// A range that a free link will not bring, or after it is due.
bool Session::duplicate_late(const LinkEstimate& link, SegmentAssembly& segment, std::optional<TimePoint> due) {
  if (whole_parts_ || !due) return false;
  auto links = links_.now(outstanding_, now_);
  for (LinkNow& other : links) {
    if (other.link == link.link && !other.rate) other.rate = guess_of_rate();
  }
  leave_out_spared(links);
  DuplicatesLeft duplicates = may_be_duplicated();
  duplicates.size = std::min(duplicates.size, costs_.left(link.link).value_or(duplicates.size));
  const TimePoint in_time = *due - margin_of({link}) / 4;
  if (rescue_lost(link.link, links, segment, in_time)) return true;
  const auto found = take_over(link.link, links, outstanding_, segment.segment(), in_time, duplicates, now_);
  if (!found || found->late <= Duration::zero()) return false;
  take_over_late_from(*found, link.link, segment);
  return true;
}

/// As much of it as the link may still be asked for; what is left is wanted again.
void Session::send_allowed(LinkId link, SegmentAssembly& segment, WantedRange wanted, std::string reason) {
  const DataSize most = costs_.left(link).value_or(wanted.range.size());
  if (wanted.range.size() > most) {
    WantedRange rest = wanted;
    rest.range.begin = wanted.range.end = wanted.range.begin + most;
    segment.give_back(rest);
  }
  send(link, segment, wanted, std::move(reason));
}

// ---- Quality

/// What comes later than this before it is due would be asked of a spared link: a rule must not plan with that time.
void Session::leave_margin(AdaptationInput& input) const {
  const Duration margin = margin_of(links_.estimates(outstanding_, now_));
  const Duration of_playing = std::min(margin, input.time_left_playout);
  input.time_left_playout -= of_playing;
  input.buffered -= std::min(margin - of_playing, input.buffered);
}

void Session::check_spend_for() const {
  const std::string& wanted = options_.spend_for;
  if (wanted == kSpendForLowest || wanted == kSpendForStall || table_.find_quality(wanted)) return;
  std::string known;
  for (std::size_t q = 0; q < table_.quality_count(); ++q) known += ", " + table_.quality_name(static_cast<QualityIndex>(q));
  throw std::invalid_argument(fmt::format("spend for \"{}\": expected {}, {}{}", wanted, kSpendForLowest, kSpendForStall, known));
}

/// The highest quality that bytes are paid for.
QualityIndex Session::spend_for() const {
  return table_.find_quality(options_.spend_for).value_or(QualityIndex{0});
}

/// The rule counted on the free links alone. Up to what the user wants to spend for, all of them count; and where only links that
/// money is paid for are left, nothing beyond that is chosen.
QualityChoice Session::within_spending(QualityChoice choice) const {
  const QualityIndex most = spend_for();
  const auto up = [&](const auto& entry) { return entry.second.usable(now_) && !is_spared(entry.first); };
  if (choice.quality > most && std::ranges::none_of(links_.all(), up) && !free_link_alive())
    return {most, choice.reason + "; only links that are paid for are there: not more than " + table_.quality_name(most)};
  DataRate rate;
  bool unknown = false;
  for (const LinkEstimate& link : links_.estimates(outstanding_, now_)) {
    if (costs_.of(link.link).kind == CostKind::kBackup || costs_.used_up(link.link)) continue;
    const auto dependable = links_.at(link.link).dependable_rate(link.link, outstanding_, now_);
    unknown = unknown || (!dependable && is_spared(link.link));
    rate += dependable.value_or(DataRate{});
  }
  for (std::size_t q = to_index(most); q > to_index(choice.quality); --q) {
    const auto quality = static_cast<QualityIndex>(q);
    if (!unknown && table_.bitrate(quality) > kSafety * rate) continue;
    return {quality, fmt::format("{}; all links bring {} by spending for it", choice.reason, table_.quality_name(quality))};
  }
  return choice;
}

}  // namespace tributary
