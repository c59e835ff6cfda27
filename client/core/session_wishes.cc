// What users and players tell the session.

#include "core/session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

// How long a link may be busy with what is not wanted any more. It cannot be called off: a response that has begun comes to
// its end, or the connection does. A new connection costs about as much: two or three round trips until it answers (one more
// with TLS), and as many again until it is as fast as the old one was. Most often little is outstanding (depth 2, 100 kB: 0.4 s
// at 4 Mbit/s), and waiting for it is better; a slow link, or a silent one, would keep a whole segment waiting.
constexpr Duration kDrainAtMost = 500ms;

}  // namespace

void Session::on(const event::SeekRequested& e) {
  const bool other_sound = e.sound && table_.sound() != e.sound;
  if (other_sound) {
    table_.choose_sound(*e.sound);
    std::ranges::fill(initialised_, std::nullopt);
  }
  const auto last = static_cast<SegmentIndex>(table_.segment_count() - 1);
  const SegmentIndex segment = std::clamp(e.segment, std::min(window_begin_, last), last);
  SegmentIndex first_missing = segment;
  playout_.clear();
  if (segment == e.segment) {
    for (std::uint32_t i = 0; i < e.cached && to_index(first_missing) < table_.segment_count(); ++i) {
      playout_.add(first_missing, table_.duration(first_missing), now_);
      first_missing = next(first_missing);
    }
  }
  if (first_segment_) first_segment_ = first_missing;
  drop_all_but(first_missing, !other_sound);
  abandon_what_is_not_wanted();
  waiting_ = Waiting::kStart;
  has_played_ = stall_told_ = delivery_told_ = begins_by_memory_ = false;
  wait_.restart(now_);
  // Whoever goes back from the live edge wants to be there: only what playout falls behind from now on is made up for.
  if (is_live(options_.mode) && to_index(segment) < published_at_.size()) {
    const Duration age = now_ - published_at_[to_index(segment)];
    accepted_lag_ = std::max(age - table_.duration(segment), Duration::zero());
  }
}

/// What is being received goes on if it is what is missing, and what follows that.
void Session::drop_all_but(SegmentIndex first_wanted, bool keep) {
  auto wanted = std::ranges::find(assembling_, first_wanted, &SegmentAssembly::segment);
  if (!keep) wanted = assembling_.end();
  if (wanted == assembling_.end()) next_segment_ = first_wanted;
  for (auto dropped = assembling_.begin(); dropped != wanted; ++dropped) {
    std::optional<SegmentIndex>& initialised = initialised_[to_index(dropped->quality())];
    if (initialised == dropped->segment()) initialised.reset();  // it did not come
    actions_.push_back(action::DropSegment{dropped->segment()});
  }
  assembling_.erase(assembling_.begin(), wanted);
}

void Session::abandon_what_is_not_wanted() {
  for (const OutstandingRequest& request : outstanding_.all()) {
    if (find_segment(request.segment) == nullptr) outstanding_.abandon(request.id);
  }
  for (const LinkNow& link : links_.now(outstanding_, now_)) {
    const DataSize owed = outstanding_.abandoned_bytes(link.link);
    if (owed == DataSize{}) continue;
    if (link.rate && link.silent + owed / *link.rate <= kDrainAtMost) continue;
    abandon_requests(
        link.link,
        fmt::format("{} bytes are not wanted any more{}", owed.bytes(),
                    link.rate ? fmt::format(", and take {:.3f} s", to_seconds(link.silent + owed / *link.rate)) : ""));
  }
}

void Session::abandon_requests(LinkId link, std::string reason) {
  actions_.push_back(action::AbandonRequests{link, std::move(reason)});
}

void Session::on(const event::QualityChosen& e) {
  chosen_quality_ = e.quality;
  if (chosen_quality_ && *chosen_quality_ > table_.highest_quality()) chosen_quality_ = table_.highest_quality();
}

void Session::on(const event::LinkUseChanged& e) {
  if (!links_.all().contains(e.link)) return;
  Link& link = links_.at(e.link);
  link.use = e.use;
  link.needed = false;
  if (e.use == LinkUse::kDoNotUse && outstanding_.count(e.link) > 0)
    abandon_requests(e.link, "switched off by the user");
}

void Session::on(const event::PlayoutReported& e) {
  if (options_.playout != PlayoutSource::kReported || to_index(e.segment) >= table_.segment_count()) return;
  account_lag(e);
  if (e.state != PlayoutState::kPlaying && waiting_ == Waiting::kStart) return;  // it has not begun
  PlayoutBuffer::Report report{e.state, e.segment, e.left, e.speed};
  const auto thought = playout_.playing();
  const bool behind = thought && *thought > e.segment;  // what is thought of it
  if (behind) {
    report.segment = *thought;
    report.left += end_of(*thought) - end_of(e.segment);
  }
  if (e.state == PlayoutState::kStalled && (!has_played_ || behind || playout_.buffered_segments() > 0)) {
    // What it waits for came while it said so.
    return allow_playout("what playout stands still for is here already");
  }
  for (const Played& played : playout_.report(report, now_)) play(played);
  if (e.state == PlayoutState::kPlaying) {
    has_played_ = true;
    stall_told_ = false;
  }
  if (e.state == PlayoutState::kStalled) {
    waiting_ = Waiting::kStall;
    tell_stall();
  }
}

/// Live: a pause is the user's wish, as is another speed.
void Session::account_lag(const event::PlayoutReported& e) {
  if (pace_) {
    const double slower = (1 - pace_->speed) * to_seconds(now_ - pace_->since);
    accepted_lag_ = std::max(accepted_lag_ + from_seconds(slower), Duration::zero());
  }
  const double speed = e.state == PlayoutState::kPlaying ? e.speed : e.state == PlayoutState::kPaused ? 0 : 1;
  pace_ = Pace{now_, speed};
}

void Session::decide_who_is_needed() {
  const auto is_standby = [](const auto& entry) { return entry.second.use == LinkUse::kWhenNeeded; };
  if (std::ranges::none_of(links_.all(), is_standby)) return;
  const auto segment = std::min(next_segment_, static_cast<SegmentIndex>(table_.segment_count() - 1));
  LinkNeed::Situation situation;
  situation.others = std::ranges::any_of(links_.all(), [](const auto& entry) {
    const Link& link = entry.second;
    return link.use == LinkUse::kUse && link.up && !link.avoided_for_good && !link.used_up;
  });
  situation.wanted = wants_bytes();
  situation.buffered = playout_.buffered() + playout_.time_left_playout(now_);
  situation.buffer = options_.buffer_segments * table_.duration(segment);
  situation.rate = rate_of_links_in_use();
  situation.lowest = table_.size(segment, QualityIndex{0}) / play_time(table_.duration(segment));
  const LinkNeed::Decision decision = link_need_.decide(situation);
  for (const auto& [id, use] : links_.all()) {
    Link& link = links_.at(id);
    if (link.use != LinkUse::kWhenNeeded || link.needed == decision.needed) continue;
    link.needed = decision.needed;
    actions_.push_back(action::NeedLink{id, decision.needed, decision.why});
  }
}

/// There is a link that may become needed while nothing happens.
bool Session::needs_to_be_decided() const {
  return wants_bytes() && std::ranges::any_of(links_.all(), [](const auto& entry) {
           const Link& link = entry.second;
           return link.up && link.use == LinkUse::kWhenNeeded && !link.needed;
         });
}

/// Nothing if that cannot be said yet.
std::optional<DataRate> Session::rate_of_links_in_use() const {
  constexpr Duration kPatience = 2s;
  DataRate sum;
  for (const LinkNow& now : links_.now(outstanding_, now_)) {
    const Link& link = links_.at(now.link);
    if (link.use != LinkUse::kUse || !link.usable(now_) || now.silent >= kPatience) continue;
    if (!now.rate) return std::nullopt;
    sum += *now.rate;
  }
  return sum;
}

}  // namespace tributary
