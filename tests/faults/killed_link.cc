#include "killed_link.hh"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace tributary::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 5> kDeathNames{"down", "address removed", "no route", "silent",
                                                      "throttled to a crawl"};
constexpr std::array<std::string_view, 3> kApproaches{"static", "dynamic", "balanced"};
constexpr std::array<std::int64_t, 4> kSizes{250'000, 375'000, 500'000, 750'000};
constexpr std::uint32_t kSegments = 12;
constexpr Duration kSegmentLength = 2s;

LinkPhase sound_link(std::uint32_t link) {
  return {TimePoint{}, LinkPhase::State::kUp, DataRate::bits_per_second(link == 0 ? 3e6 : 2e6),
          link == 0 ? 40ms : 100ms, 0};
}

FaultPlan plan_of(const KilledLink& killed) {
  FaultPlan plan;
  plan.options.subsegments = killed.approach;
  plan.options.duplicates_percent = traits_of(killed.approach).duplicates_percent;
  plan.options.adaptation = killed.adaptation;
  plan.options.buffer_segments = 1;
  plan.options.start = StartRule::kFast;
  for (const std::int64_t size : kSizes) plan.sizes.emplace_back(kSegments, size);
  plan.links = {{sound_link(0)}, {sound_link(1)}};
  std::vector<LinkPhase>& phases = plan.links[killed.link];
  LinkPhase dead = phases.front();
  dead.at = killed.at;
  switch (killed.death) {
    case Death::kDown:
      dead.state = LinkPhase::State::kDown;
      break;
    case Death::kNoRoute:
      dead.state = LinkPhase::State::kNoRoute;
      break;
    case Death::kSilent:
      dead.state = LinkPhase::State::kSilent;
      break;
    case Death::kCrawl:
      dead.rate = DataRate::bits_per_second(1e3);
      break;
    case Death::kAddressRemoved:
      dead.state = LinkPhase::State::kSilent;
      phases.push_back(dead);
      dead.at += 7ms;
      dead.state = LinkPhase::State::kDown;
      break;
  }
  phases.push_back(dead);
  if (killed.back) {
    phases.push_back(sound_link(killed.link));
    phases.back().at = *killed.back;
  }
  return plan;
}

/// Watches what becomes of the link's debts, and of playout.
class Watch : public SessionObserver {
 public:
  Watch(const KilledLink& killed, const FaultPlan& plan, KilledResult& result)
      : killed_{killed}, plan_{plan}, result_{result} {}

  void on_event(const Event& event, TimePoint at) override {
    now_ = at;
    const auto* bytes = std::get_if<event::BytesReceived>(&event);
    if (at < killed_.at) {
      if (bytes != nullptr) before_.count(bytes->size, owed_by_dead_.contains(bytes->request));
      return;
    }
    if (const auto* failed = std::get_if<event::RequestFailed>(&event)) notice(owed_by_dead_.contains(failed->request));
    if (const auto* down = std::get_if<event::LinkDown>(&event)) notice(to_index(down->link) == killed_.link);
    if (bytes != nullptr) count_share(*bytes);
  }

  void on_action(const Action& action, TimePoint at) override {
    now_ = at;
    if (const auto* send = std::get_if<action::SendRequest>(&action)) {
      if (to_index(send->link) == killed_.link) owed_by_dead_.insert(send->request);
      if (at >= killed_.at && send->takes_over) notice(owed_by_dead_.contains(*send->takes_over));
      const bool again = send->takes_over || send->reason.starts_with("again");
      if (again && owes_since_ && !result_.handed_over && to_index(send->link) != killed_.link)
        result_.handed_over = at - *owes_since_;
    }
    if (const auto* play = std::get_if<action::PlaySegment>(&action);
        play != nullptr && play->at > killed_.at && play->miss > Duration::zero()) {
      ++result_.stalls;
      result_.stalled += play->miss;
    }
  }

  void look(const Session& session, const SessionAudit& audit) {
    if (audit.now < killed_.at) return;
    if (!seen_) {
      seen_ = true;
      foresee(session, audit);
    }
    const bool owes = session.outstanding().head(static_cast<LinkId>(killed_.link)) != nullptr;
    if (owes && !owes_since_) owes_since_ = std::max(killed_.at, audit.now);
  }

 private:
  void notice(bool is_about_it) {
    if (!is_about_it || result_.noticed) return;
    if (!owes_since_) owes_since_ = killed_.at;
    result_.noticed = now_ - *owes_since_;
  }

  /// The other link alone, from this moment on.
  void foresee(const Session& session, const SessionAudit& audit) {
    const auto next_due = session.playout().next_due();
    if (!next_due) return;
    const LinkPhase& other = plan_.links[1 - killed_.link].front();
    TimePoint due = *next_due + session.playout().buffered();
    TimePoint room = audit.now;  // for one more segment
    TimePoint here = audit.now;
    auto missing = audit.missing();
    std::uint32_t next =
        to_index(*session.playout().playing()) + 1 + static_cast<std::uint32_t>(session.playout().buffered_segments());
    for (; next < kSegments; ++next) {
      const bool started = !missing.empty();
      const DataSize size = started ? missing.front().second : DataSize{kSizes[0]};
      if (started) missing.erase(missing.begin());
      here = std::max(here, started ? here : room) + other.rtt + size / other.rate;
      if (here > due) {
        ++result_.unavoidable_stalls;
        result_.unavoidable += here - due;
        due = here;
      }
      room = due;
      due += kSegmentLength;
    }
  }

  /// In the last second.
  void count_share(const event::BytesReceived& bytes) {
    if (!killed_.back || now_ < *killed_.back) return;
    came_.push_back({now_, bytes.size, owed_by_dead_.contains(bytes.request)});
    std::erase_if(came_, [&](const Came& c) { return c.at < now_ - 1s; });
    Share lately;
    for (const Came& c : came_) lately.count(c.size, c.own);
    if (lately.all <= DataSize{100'000}) return;
    const double by_rates = sound_link(killed_.link).rate / (sound_link(0).rate + sound_link(1).rate);
    const auto reaches = [&](std::optional<Duration>& after, double share) {
      if (!after && lately.of_all() >= 0.9 * share) after = now_ - *killed_.back;
    };
    reaches(result_.carries_again, by_rates);
    reaches(result_.carries_as_before, std::min(by_rates, before_.of_all()));
  }

  struct Share {
    DataSize own, all;
    void count(DataSize size, bool is_own) {
      all += size;
      if (is_own) own += size;
    }
    double of_all() const { return own / all; }
  };
  struct Came {
    TimePoint at;
    DataSize size;
    bool own = false;
  };

  const KilledLink& killed_;
  const FaultPlan& plan_;
  KilledResult& result_;
  TimePoint now_;
  bool seen_ = false;
  std::optional<TimePoint> owes_since_;
  std::set<RequestId> owed_by_dead_;
  Share before_;  // it died
  std::vector<Came> came_;
};

}  // namespace

std::string_view to_string(Death death) { return kDeathNames[static_cast<std::size_t>(death)]; }

std::string describe(const KilledLink& killed) {
  return fmt::format("--link {} --at {:.3f} --death {} --approach {} --adaptation {}", killed.link,
                     to_seconds(killed.at), static_cast<int>(killed.death),
                     kApproaches[static_cast<std::size_t>(killed.approach)], killed.adaptation);
}

KilledResult run(const KilledLink& killed) {
  KilledResult result;
  const FaultPlan plan = plan_of(killed);
  Watch watch{killed, plan, result};
  result.run =
      run_plan(plan, &watch, [&](const Session& session, const SessionAudit& audit) { watch.look(session, audit); });
  return result;
}

}  // namespace tributary::testing
