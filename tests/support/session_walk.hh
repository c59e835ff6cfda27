#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/session.hh"
#include "support/choices.hh"
#include "support/session_audit.hh"
#include "support/tables.hh"

namespace tributary::testing {

/// A session in a world that keeps the rules of worlds, and otherwise follows the choices. Links come, go, cost
/// something and are remembered. Requests are answered, fail or stand still. Segments are published and added. The user
/// seeks, switches links and chooses qualities; a player reports. Once the choices are used up, all goes well until the
/// end.
class SessionWalk {
 public:
  /// `rest_arrives`: by other means as well. Recorded walks (tests/corpus) do without.
  explicit SessionWalk(Choices choices, bool rest_arrives = true)
      : choices_{choices},
        rest_arrives_{rest_arrives},
        options_{any_options()},
        session_{any_table(), options_},
        audit_{session_} {}

  const Session& session() const { return session_; }
  const std::vector<std::string>& complaints() const { return audit_.complaints(); }

  /// Shows every event and action to `observer`. The first complaint ends the walk; without one, the session finishes.
  /// Returns the complaints.
  const std::vector<std::string>& run(SessionObserver* observer = nullptr) {
    observer_ = observer;
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      if (any(6) == 0) tell_cost(link);
      if (any(4) != 0) come(link);
    }
    while (choices_.left() && goes_on()) step();
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      if (costs_.contains(link)) happens(event::LinkCostTold{{}, LinkId{link}});
      if (!up_[link]) come(link);
      happens(event::LinkUseChanged{LinkId{link}, LinkUse::kUse});
    }
    if (rest_arrives_) happens(event::RestArrived{SegmentIndex{kMostSegments}});
    happens(event::PlayoutReported{PlayoutState::kPlaying, SegmentIndex{0}, std::chrono::milliseconds{10}, 1});
    for (int i = 0; i < 5'000 && goes_on(); ++i) {
      now_ = std::max(now_ + std::chrono::milliseconds{100}, session_.next_deadline().value_or(now_));
      publish();
      if (i == 100 && grows_) happens(event::PresentationEnded{});
      if (outstanding_.empty())
        happens(event::DeadlineReached{});
      else
        answer(outstanding_.begin()->first, true);
      if (i > 300 && outstanding_.empty()) happens(event::StopRequested{"enough"});
    }
    return complaints();
  }

 private:
  static constexpr std::uint32_t kLinks = 3;
  static constexpr std::uint32_t kMostSegments = 40;

  struct Request {
    LinkId link{};
    ByteRange range;  // the bytes that are left
  };

  std::uint32_t any(std::uint32_t count) { return choices_.below(count); }

  SessionOptions any_options() {
    constexpr std::array kRules{"thesis",  "throughput", "bola",        "bba",    "robust-mpc",
                                "dynamic", "fixed:low",  "bola-finite", "planned"};
    constexpr std::array kLeftOut{"rescue", "take-over", "sizing", "several-segments", "lowering"};
    SessionOptions options;
    options.mode = static_cast<StreamingMode>(any(4));
    options.subsegments = static_cast<SubsegmentApproach>(any(3));
    options.subsegment_size = DataSize{1'000 + any(5'000)};
    options.depth = 1 + any(4);
    options.buffer_segments = options.mode == StreamingMode::kLiveUnbuffered ? 1 : 1 + any(6);
    options.startup_segments = options.mode == StreamingMode::kLiveUnbuffered ? 0 : any(options.buffer_segments + 1);
    options.adaptation = kRules[any(kRules.size())];
    options.duplicates_percent = any(101);
    options.start = static_cast<StartRule>(any(2));
    options.playout = static_cast<PlayoutSource>(any(2));
    options.stays_open = any(2) == 1;
    options.spend_for = any(2) == 0 ? kSpendForLowest : kSpendForStall;
    if (any(4) == 0) options.without = kLeftOut[any(kLeftOut.size())];
    return options;
  }

  SegmentTable any_table() {
    constexpr std::array kNames{"low", "medium", "high"};
    const std::uint32_t segments = 1 + any(30);
    qualities_ = 1 + any(3);
    std::vector<QualityRow> rows;
    for (std::uint32_t q = 0; q < qualities_; ++q) {
      std::vector<DataSize> sizes;
      for (std::uint32_t s = 0; s < segments; ++s) sizes.emplace_back((q + 1) * 3'000 + any(3'000));
      rows.push_back({kNames[q], sizes});
    }
    Presentation presentation = presentation_of(rows);
    grows_ = is_live(options_.mode) && any(2) == 1;
    if (grows_) {
      presentation.live = LiveWindow{};
      presentation.complete = false;
    }
    return SegmentTable{presentation};
  }

  void step() {
    const std::uint32_t what = any(28);
    const std::uint32_t link = any(kLinks);
    now_ += wait();
    if (what < 2) return up_[link] ? go(link) : come(link);
    if (what < 4) return publish();
    if (what == 4) return happens(event::SeekRequested{SegmentIndex{any(40)}, any(3), std::nullopt});
    if (what == 5)
      return happens(event::QualityChosen{any(2) == 0 ? std::nullopt : std::optional{QualityIndex{any(5)}}});
    if (what == 6) return happens(event::LinkUseChanged{LinkId{link}, static_cast<LinkUse>(any(3))});
    if (what == 7)
      return happens(event::PlayoutReported{static_cast<PlayoutState>(any(3)), SegmentIndex{any(30)},
                                            std::chrono::milliseconds{any(2'000)}, 0.25 * (1 + any(8))});
    if (what == 8) return happens(event::WindowMoved{SegmentIndex{std::min(any(20), published_)}});
    if (what == 9 && costs_.contains(link)) return tell_cost(link);
    if (what == 10 && up_[link]) {
      const auto least = std::chrono::milliseconds{1 + any(300)};
      return happens(event::RoundTripMeasured{LinkId{link}, least + std::chrono::milliseconds{any(200)}, least});
    }
    if (what == 11 && grows_) return add();
    if (what == 26 && rest_arrives_) {
      const std::uint32_t rest = any(40), here = any(3'000);
      return happens(event::RestArrived{SegmentIndex{rest},
                                        any(2) == 0 ? std::nullopt : std::optional{SegmentIndex{any(rest + 1)}},
                                        SegmentIndex{any(30)}, DataSize{here}, DataSize{here + any(3'000)}});
    }
    if (const auto head = head_of(link); head && what < 26) return answer(*head, what > 16);
    happens(event::DeadlineReached{});
  }

  Duration wait() {
    switch (any(6)) {
      case 0:
        return Duration::zero();
      case 1:
        return std::chrono::milliseconds{1 + any(20)};
      case 2:
        return std::chrono::milliseconds{100 + any(3'000)};
      case 3: {
        const Duration sleep = session_.next_deadline().value_or(now_) - now_;
        return sleep < std::chrono::seconds{5} || any(20) == 0 ? std::max(sleep, Duration::zero()) : Duration::zero();
      }
      default:
        return std::chrono::milliseconds{10};
    }
  }

  void come(std::uint32_t link) {
    up_[link] = true;
    event::LinkUp up{LinkId{link}, "link" + std::to_string(link), static_cast<LinkUse>(any(3))};
    if (any(3) == 0) {
      up.remembered_rate = DataRate::bits_per_second(1e4 * (1 + any(2'000)));
      up.remembered_rtt = std::chrono::milliseconds{1 + any(300)};
    }
    happens(up);
  }
  void go(std::uint32_t link) {
    up_[link] = false;
    happens(event::LinkDown{LinkId{link}, "it went"});
    fail_all(link, FailureReason::kLinkDown);
  }
  /// A link's allowance in all never becomes less.
  void tell_cost(std::uint32_t link) {
    event::LinkCostTold told;
    told.link = LinkId{link};
    if (!costs_.contains(link)) {
      costs_[link].kind = static_cast<CostKind>(any(4));
      costs_[link].price_per_mb = costs_[link].kind == CostKind::kPaid ? 0.01 * any(3) : 0;
      if (any(2) == 0) costs_[link].allowed = DataSize{};
    }
    LinkCost& cost = costs_[link];
    if (cost.allowed) *cost.allowed += DataSize{any(20'000)};
    static_cast<LinkCost&>(told) = cost;
    happens(told);
  }
  void publish() {
    if (!is_live(options_.mode)) return;
    if (published_ == session_.table().segment_count()) return grows_ ? add() : void();
    happens(event::SegmentPublished{SegmentIndex{published_++}});
  }
  /// Publishes all listed segments, then adds a segment and publishes it at once.
  void add() {
    const auto count = static_cast<std::uint32_t>(session_.table().segment_count());
    if (count >= kMostSegments || session_.table().complete()) return;
    while (published_ < count) happens(event::SegmentPublished{SegmentIndex{published_++}});
    event::SegmentAdded added{SegmentIndex{count}, {}};
    for (std::uint32_t q = 0; q < qualities_; ++q)
      added.tracks.push_back({DataSize{(q + 1) * 3'000 + any(3'000)}, 2'000});
    happens(added);
    happens(event::SegmentPublished{SegmentIndex{published_++}});
  }

  std::optional<RequestId> head_of(std::uint32_t link) const {
    for (const auto& [id, request] : outstanding_) {
      if (request.link == LinkId{link}) return id;
    }
    return std::nullopt;
  }
  /// The oldest request of a link gets some bytes, all bytes, or a failure.
  void answer(RequestId id, bool well) {
    const std::uint32_t how = well ? 3 : any(4);
    if (how == 0) return happens(event::ResponseBegan{id});
    if (how == 1) {
      const auto reason = static_cast<FailureReason>(any(static_cast<std::uint32_t>(FailureReason::kAbandoned)));
      const bool all = any(2) == 1;
      const auto link = static_cast<std::uint32_t>(to_index(outstanding_.at(id).link));
      return all ? fail_all(link, reason) : fail(id, reason);
    }
    const DataSize left = outstanding_.at(id).range.size();
    const DataSize size = how == 2 ? DataSize{1 + any(static_cast<std::uint32_t>(left.bytes()))} : left;
    happens(event::ResponseBegan{id});
    if (!outstanding_.contains(id)) return;  // it was abandoned
    outstanding_.at(id).range.begin += size;
    happens(event::BytesReceived{id, size});
    if (size != left) return;
    outstanding_.erase(id);
    happens(event::RequestDone{id});
  }
  void fail(RequestId id, FailureReason reason) {
    if (outstanding_.erase(id) == 0) return;  // it was abandoned meanwhile
    happens(event::RequestFailed{id, reason, ""});
  }
  void fail_all(std::uint32_t link, FailureReason reason) {
    std::vector<RequestId> failing;  // fixed beforehand: requests sent meanwhile go on
    for (const auto& [id, request] : outstanding_) {
      if (request.link == LinkId{link}) failing.push_back(id);
    }
    for (const RequestId id : failing) fail(id, reason);
  }

  bool goes_on() const { return !session_.finished() && complaints().empty(); }

  void happens(const Event& event) {
    if (!goes_on()) return;
    audit_.on_event(event, now_);
    if (observer_ != nullptr) observer_->on_event(event, now_);
    session_.handle(event, now_);
    std::vector<LinkId> abandoned;
    while (const auto action = session_.next_action()) {
      audit_.on_action(*action, now_);
      if (observer_ != nullptr) observer_->on_action(*action, now_);
      if (const auto* send = std::get_if<action::SendRequest>(&*action))
        outstanding_[send->request] = {send->link, send->range};
      if (const auto* abandon = std::get_if<action::AbandonRequests>(&*action)) abandoned.push_back(abandon->link);
    }
    audit_.settle();
    for (const LinkId link : abandoned) fail_all(static_cast<std::uint32_t>(to_index(link)), FailureReason::kAbandoned);
  }

  Choices choices_;
  bool rest_arrives_;
  std::uint32_t qualities_ = 1;
  bool grows_ = false;  // segments are added while the session runs
  SessionOptions options_;
  Session session_;
  SessionAudit audit_;
  SessionObserver* observer_ = nullptr;
  TimePoint now_;
  std::array<bool, kLinks> up_{};
  std::uint32_t published_ = 0;
  std::map<std::uint32_t, LinkCost> costs_;  // those told to the session
  std::map<RequestId, Request> outstanding_;
};

}  // namespace tributary::testing
