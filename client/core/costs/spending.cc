#include "core/costs/spending.hh"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/session_state.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

// Bytes of a spared link are to be there this part of a segment before they are due, but at most this long. Constant
// rates would need less, and cost the same. A free link that slows down is noticed within half a second.
constexpr double kMarginOfSegment = 0.75;
constexpr Duration kMostMargin = 1s;
constexpr double kRoundTripsOfMargin = 4;  // a lost packet, and the bytes behind it
// A download has no deadlines: the others are asked only after this time without a byte over the free links.
constexpr Duration kPatience = 10s;
constexpr Duration kComesBackAtOnce = 500ms;
constexpr double kSafety = 0.8;  // of the rates of all links, for a quality that is paid for

/// The next that is not complete; the last if all are.
SegmentIndex next_to_come(const SessionState& s) {
  if (!s.book.segments().empty()) return s.book.segments().front().segment();
  return std::min(s.timeline.next_segment(), static_cast<SegmentIndex>(s.timeline.table().segment_count() - 1));
}

Carrier carrier(const LinkEstimate& link, const SessionState& s) {
  Carrier result{link.remembered ? std::nullopt : link.throughput, link.free_in,
                 s.book.outstanding().bytes_left(link.link)};
  if (!traits_of(s.options.subsegments).busy_rates && link.throughput) result.free_in = result.owed / *link.throughput;
  return result;
}

/// The highest quality that bytes are paid for.
QualityIndex most_spent_for(const SessionState& s) {
  return s.timeline.table().qualities().find(s.options.spend_for).value_or(QualityIndex{0});
}

}  // namespace

void Spending::check(const SessionOptions& options, const SegmentTable& table) {
  const std::string& wanted = options.spend_for;
  if (wanted == kSpendForLowest || wanted == kSpendForStall || table.qualities().find(wanted)) return;
  std::string known;
  for (std::size_t q = 0; q < table.quality_count(); ++q)
    known += ", " + table.quality_name(static_cast<QualityIndex>(q));
  throw std::invalid_argument(
      fmt::format("spend for \"{}\": expected {}, {}{}", wanted, kSpendForLowest, kSpendForStall, known));
}

// ---- Which links there are

void Spending::look_for_free_links(const LinkTable& links, TimePoint now) {
  const bool there = std::ranges::any_of(links.all(), [&](const auto& entry) {
    const Link& link = entry.second;
    return link.up && link.wanted() && !link.avoided_for_good && !link.used_up && !costs.spared(entry.first);
  });
  if (there || links.empty()) free_until_ = now + kComesBackAtOnce;
}

bool Spending::is_spared(LinkId link, TimePoint now) const {
  const CostKind kind = costs.of(link).kind;
  return kind == CostKind::kPaid || (tributary::is_spared(kind) && free_link_alive(now));
}

void Spending::leave_out_spared(std::span<LinkNow> links, TimePoint now) const {
  for (LinkNow& link : links) link.usable = link.usable && !is_spared(link.link, now);
}

std::string_view Spending::why_used_up(LinkId link, const SessionState& s) const {
  if (costs.used_up_for_good(link)) return costs.of(link).why_not_more;
  if ((s.book.whole_parts() || s.timeline.table().has_pieces()) && costs.left(link))
    return "the server sends files only whole, which might be more than it may bring";
  return {};
}

void Spending::look_for_used_up_links(SessionState& s) {
  if (!costs.limited()) return;
  for (const auto& [id, known] : s.links.all()) {
    const std::string_view why = why_used_up(id, s);
    if (known.used_up == !why.empty()) continue;
    if (!why.empty()) s.actions.push(action::AvoidLink{id, std::nullopt, std::string{why}});
    s.links.at(id).used_up = !why.empty();
  }
  look_for_what_is_left(s);
}

std::string Spending::used_up_links(const SessionState& s) const {
  std::string text;
  for (const auto& [id, link] : s.links.all()) {
    if (const auto why = why_used_up(id, s); !why.empty())
      text += fmt::format("; {} may not bring more: {}", link.name, why);
  }
  return text;
}

/// Remembers since when all links are used up.
void Spending::look_for_what_is_left(const SessionState& s) {
  const auto is_used_up = [](const auto& entry) { return entry.second.used_up; };
  const auto brings_nothing = [](const auto& entry) {
    const Link& link = entry.second;
    return link.used_up || link.avoided_for_good || link.use == LinkUse::kDoNotUse;
  };
  const bool left =
      !s.book.outstanding().empty() || !s.wants_bytes() || !std::ranges::all_of(s.links.all(), brings_nothing);
  if (left || std::ranges::none_of(s.links.all(), is_used_up)) {
    nothing_left_since_.reset();
  } else if (!nothing_left_since_) {
    nothing_left_since_ = s.now;
  }
}

bool Spending::nothing_left(TimePoint now) const {
  return nothing_left_since_ && now >= *nothing_left_since_ + kComesBackAtOnce;
}

// ---- What they are asked for

DataRate Spending::guess_of_rate(const SessionState& s) { return s.timeline.table().bitrate(s.qualities.last()); }

/// When playout, or a viewer who waits for its start, wants a segment with `ahead` media before it; nothing: nobody
/// waits.
std::optional<TimePoint> Spending::wanted_by(SegmentIndex segment, Duration ahead, QualityIndex quality,
                                             const SessionState& s) const {
  if (s.options.mode == StreamingMode::kDemanded) return s.demand.due(segment);
  const double speed = s.playout.buffer().speed();
  if (const auto due = s.playout.buffer().next_due())
    return *due + (speed == 1 ? ahead : from_seconds(to_seconds(ahead) / speed));
  const bool nobody_else = !free_link_alive(s.now) || s.now >= s.wait.since() + kPatience;
  if (s.options.mode == StreamingMode::kDownload) return nobody_else ? std::optional{s.now} : std::nullopt;
  if (s.playout.buffer().started()) return std::nullopt;  // it is paused
  if (nobody_else) return s.now;
  if (!s.playout.start_wanted() || s.options.spend_for == kSpendForStall || quality > most_spent_for(s))
    return std::nullopt;
  // A late start is no stall: there is no need to be earlier.
  return *s.playout.start_wanted() + s.options.segments_to_start() * s.timeline.table().duration(next_to_come(s)) +
         kMostMargin;
}

Claims Spending::claims_on(const LinkEstimates& free, const SessionState& s) const {
  LinkIds counted;
  for (const auto& [link, _] : s.links.all()) {
    if (!is_spared(link, s.now) || std::ranges::find(free, link, &LinkEstimate::link) != free.end())
      counted.push_back(link);
  }
  const auto counts = [&](LinkId link) { return std::ranges::find(counted, link) != counted.end(); };
  Claims claims;
  boost::container::small_vector<SegmentIndex, 8> begun;
  Duration ahead = s.playout.buffer().buffered();
  for (const SegmentAssembly& segment : s.book.segments()) {
    const DataSize not_asked_for = segment.new_bytes() + segment.given_back_bytes();
    claims.push_back({wanted_by(segment.segment(), ahead, segment.quality(), s), not_asked_for});
    begun.push_back(segment.segment());
    ahead += s.timeline.table().duration(segment.segment());
  }
  for (const OutstandingRequest& request : s.book.outstanding().all()) {
    if (request.abandoned || !counts(request.link)) continue;
    const auto of = std::ranges::find(begun, request.segment);
    if (of != begun.end()) claims[static_cast<std::size_t>(of - begun.begin())].missing += request.owed_alone().size();
  }
  SegmentIndex next_one = s.timeline.next_segment();
  const std::size_t may_start = s.may_start();
  for (std::size_t i = 0; i < may_start; ++i, next_one = next(next_one)) {
    claims.push_back(
        {wanted_by(next_one, ahead, s.qualities.last(), s), s.timeline.table().size(next_one, s.qualities.last())});
    ahead += s.timeline.table().duration(next_one);
  }
  return claims;
}

ClaimSizes Spending::shortages_of(const Claims& claims, const LinkEstimates& free, const SessionState& s) const {
  OfLinks<Carrier> carriers;
  for (const LinkEstimate& link : free) {
    Carrier& added = carriers.emplace_back(carrier(link, s));
    if (!added.rate && is_spared(link.link, s.now)) carriers.pop_back();  // its rate will be measured
  }
  return shortages(claims, carriers, std::max(margin_of(free, s), slack(s)), s.now);
}

std::size_t Spending::pressing_on(const LinkEstimate& link, const Claims& claims, const ClaimSizes& shortages,
                                  const SessionState& s) const {
  return pressing(claims, shortages, carrier(link, s), guess_of_rate(s), margin_of({link}, s), s.now);
}

/// The user wants free links to bring bytes this long before they are due.
Duration Spending::slack(const SessionState& s) {
  return s.options.slack_segments * s.timeline.table().duration(next_to_come(s));
}

Duration Spending::margin_of(const LinkEstimates& links, const SessionState& s) {
  Duration round_trip{};
  for (const LinkEstimate& link : links)
    round_trip = std::max(round_trip, link.remembered ? Duration{} : link.round_trip);
  const Duration part = from_seconds(kMarginOfSegment * to_seconds(s.timeline.table().duration(next_to_come(s))));
  return std::max(std::min(part, kMostMargin), from_seconds(kRoundTripsOfMargin * to_seconds(round_trip)));
}

void Spending::reserve_for(const LinkEstimates& spared, const LinkEstimates& free, const SessionState& s) {
  reserved_.clear();
  if (spared.empty() || free.empty()) return;
  const Claims claims = claims_on(free, s);
  const ClaimSizes sizes = shortages_of(claims, free, s);
  DataSize before;
  for (std::size_t i = 0; i < std::min(claims.size(), s.book.segments().size()); ++i) {
    if (sizes[i] <= DataSize{}) continue;
    DataSize possible;
    for (const LinkEstimate& link : spared) {
      Carrier carried = carrier(link, s);
      if (!carried.rate) carried.rate = guess_of_rate(s);
      const DataSize brings = carried.brings_in(std::max(*claims[i].due - s.now, Duration::zero())) - carried.owed;
      possible += std::clamp(brings, DataSize{}, costs.left(link.link).value_or(std::max(brings, DataSize{})));
    }
    const DataSize left_to_spared = std::clamp(possible - before, DataSize{}, sizes[i]);
    before += left_to_spared;
    reserved_.emplace_back(s.book.segments()[i].segment(), left_to_spared);
  }
}

DataSize Spending::unreserved(const SegmentAssembly& segment) const {
  for (const auto& [index, size] : reserved_) {
    if (index == segment.segment()) return segment.new_bytes() - size;
  }
  return segment.new_bytes();
}

// ---- Qualities

void Spending::leave_margin(AdaptationInput& input, const SessionState& s) {
  const Duration margin = margin_of(s.links.estimates(s.book.outstanding(), s.now), s);
  const Duration of_playing = std::min(margin, input.time_left_playout);
  input.time_left_playout -= of_playing;
  input.buffered -= std::min(margin - of_playing, input.buffered);
}

QualityChoice Spending::within_spending(QualityChoice choice, const SessionState& s) const {
  const QualityIndex most = most_spent_for(s);
  const auto up = [&](const auto& entry) { return entry.second.usable(s.now) && !is_spared(entry.first, s.now); };
  if (choice.quality > most && std::ranges::none_of(s.links.all(), up) && !free_link_alive(s.now))
    return {most, choice.reason + "; only links that are paid for are there: not more than " +
                      s.timeline.table().quality_name(most)};
  DataRate rate;
  bool unknown = false;
  for (const LinkEstimate& link : s.links.estimates(s.book.outstanding(), s.now)) {
    if (costs.of(link.link).kind == CostKind::kBackup || costs.used_up(link.link)) continue;
    const auto dependable = s.links.at(link.link).dependable_rate(link.link, s.book.outstanding(), s.now);
    unknown = unknown || (!dependable && is_spared(link.link, s.now));
    rate += dependable.value_or(DataRate{});
  }
  for (std::size_t q = to_index(most); q > to_index(choice.quality); --q) {
    const auto quality = static_cast<QualityIndex>(q);
    if (!unknown && s.timeline.table().bitrate(quality) > kSafety * rate) continue;
    return {quality, fmt::format("{}; all links bring {} by spending for it", choice.reason,
                                 s.timeline.table().quality_name(quality))};
  }
  return choice;
}

}  // namespace tributary
