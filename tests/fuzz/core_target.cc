// The core in a world that keeps the rules of a world, and does whatever the input says at whatever time.
#include <array>
#include <cstdio>
#include <map>
#include <vector>

#include "core/session.hh"
#include "fuzz_target.hh"
#include "support/session_audit.hh"
#include "support/tables.hh"

using namespace tributary;

namespace {

constexpr std::uint32_t kLinks = 3;

SessionOptions options_from(fuzz::Choices& choices) {
  constexpr std::array kRules{"thesis",  "throughput", "bola",        "bba",    "robust-mpc",
                              "dynamic", "fixed:low",  "bola-finite", "planned"};
  SessionOptions options;
  options.mode = static_cast<StreamingMode>(choices.below(4));
  options.subsegments = static_cast<SubsegmentApproach>(choices.below(3));
  options.subsegment_size = DataSize{1'000 + choices.below(5'000)};
  options.depth = 1 + choices.below(4);
  options.buffer_segments = options.mode == StreamingMode::kLiveUnbuffered ? 1 : 1 + choices.below(6);
  options.startup_segments =
      options.mode == StreamingMode::kLiveUnbuffered ? 0 : choices.below(options.buffer_segments + 1);
  options.adaptation = kRules[choices.below(kRules.size())];
  options.duplicates_percent = choices.below(101);
  options.start = static_cast<StartRule>(choices.below(2));
  options.playout = static_cast<PlayoutSource>(choices.below(2));
  options.stays_open = choices.below(2) == 1;
  return options;
}

SegmentTable table_from(fuzz::Choices& choices) {
  std::vector<testing::QualityRow> rows;
  constexpr std::array kNames{"low", "medium", "high"};
  const std::uint32_t segments = 1 + choices.below(8);
  const std::uint32_t qualities = 1 + choices.below(3);
  for (std::uint32_t q = 0; q < qualities; ++q) {
    std::vector<DataSize> sizes;
    for (std::uint32_t s = 0; s < segments; ++s) sizes.emplace_back((q + 1) * 3'000 + choices.below(3'000));
    rows.push_back({kNames[q], sizes});
  }
  return SegmentTable{testing::presentation_of(rows)};
}

class AnyWorld {
 public:
  AnyWorld(fuzz::Choices& choices, SegmentTable table)
      : choices_{choices}, options_{options_from(choices)}, session_{std::move(table), options_}, audit_{session_} {}

  void run() {
    while (choices_.left() && !session_.finished()) step();
    // From here on all is well, and there is an end.
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      if (!up_[link]) come(link);
      happens(event::LinkUseChanged{LinkId{link}, LinkUse::kUse});
    }
    happens(event::PlayoutReported{PlayoutState::kPlaying, SegmentIndex{0}, std::chrono::milliseconds{10}, 1});
    for (int i = 0; i < 5'000 && !session_.finished(); ++i) {
      now_ = std::max(now_ + std::chrono::milliseconds{100}, session_.next_deadline().value_or(now_));
      publish();
      if (outstanding_.empty())
        happens(event::DeadlineReached{});
      else
        answer(outstanding_.begin()->first, true);
      if (i > 300 && outstanding_.empty()) happens(event::StopRequested{"enough"});
    }
    fuzz::require(session_.finished());
  }

 private:
  void step() {
    const std::uint32_t what = choices_.below(24);
    const std::uint32_t link = choices_.below(kLinks);
    now_ += wait();
    if (what < 2) return up_[link] ? go(link) : come(link);
    if (what < 4) return publish();
    if (what == 4 && session_.table().segment_count() > 0)
      return happens(event::SeekRequested{SegmentIndex{choices_.below(12)}, choices_.below(3), std::nullopt});
    if (what == 5)
      return happens(
          event::QualityChosen{choices_.below(2) == 0 ? std::nullopt : std::optional{QualityIndex{choices_.below(5)}}});
    if (what == 6) return happens(event::LinkUseChanged{LinkId{link}, static_cast<LinkUse>(choices_.below(3))});
    if (what == 7)
      return happens(
          event::PlayoutReported{static_cast<PlayoutState>(choices_.below(3)), SegmentIndex{choices_.below(10)},
                                 std::chrono::milliseconds{choices_.below(2'000)}, 0.25 * (1 + choices_.below(8))});
    if (what == 8) return happens(event::WindowMoved{SegmentIndex{std::min(choices_.below(8), published_)}});
    if (const auto head = head_of(link); head && what < 22) return answer(*head, what > 12);
    happens(event::DeadlineReached{});
  }

  Duration wait() {
    switch (choices_.below(6)) {
      case 0:
        return Duration::zero();
      case 1:
        return std::chrono::milliseconds{1 + choices_.below(20)};
      case 2:
        return std::chrono::milliseconds{100 + choices_.below(3'000)};
      case 3:
        return session_.next_deadline() ? std::max(*session_.next_deadline() - now_, Duration::zero())
                                        : Duration::zero();
      default:
        return std::chrono::milliseconds{10};
    }
  }

  void come(std::uint32_t link) {
    up_[link] = true;
    happens(event::LinkUp{LinkId{link}, "link" + std::to_string(link), static_cast<LinkUse>(choices_.below(3))});
  }
  void go(std::uint32_t link) {
    up_[link] = false;
    happens(event::LinkDown{LinkId{link}, "it went"});
    fail_all(link, FailureReason::kLinkDown);
  }
  void publish() {
    if (!is_live(options_.mode) || published_ == session_.table().segment_count()) return;
    happens(event::SegmentPublished{SegmentIndex{published_++}});
  }

  std::optional<RequestId> head_of(std::uint32_t link) const {
    for (const auto& [id, request] : outstanding_) {
      if (request.link == LinkId{link}) return id;
    }
    return std::nullopt;
  }
  /// The oldest request of a link gets something, or all, or an end.
  void answer(RequestId id, bool well) {
    const std::uint32_t how = well ? 3 : choices_.below(4);
    if (how == 0) return happens(event::ResponseBegan{id});
    if (how == 1) {
      const auto reason =
          static_cast<FailureReason>(choices_.below(static_cast<std::uint32_t>(FailureReason::kAbandoned)));
      const bool all = choices_.below(2) == 1;
      const std::uint32_t link = static_cast<std::uint32_t>(to_index(outstanding_.at(id).link));
      return all ? fail_all(link, reason) : fail(id, reason);
    }
    const DataSize left = outstanding_.at(id).range.size();
    const DataSize size = how == 2 ? DataSize{1 + choices_.below(static_cast<std::uint32_t>(left.bytes()))} : left;
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
    std::vector<RequestId> failing;  // what is asked for meanwhile goes on
    for (const auto& [id, request] : outstanding_) {
      if (request.link == LinkId{link}) failing.push_back(id);
    }
    for (const RequestId id : failing) fail(id, reason);
  }

  void happens(const Event& event) {
    if (session_.finished()) return;
    audit_.on_event(event, now_);
    session_.handle(event, now_);
    std::vector<LinkId> abandoned;
    while (const auto action = session_.next_action()) {
      audit_.on_action(*action, now_);
      if (const auto* send = std::get_if<action::SendRequest>(&*action))
        outstanding_[send->request] = {send->link, send->range};
      if (const auto* abandon = std::get_if<action::AbandonRequests>(&*action)) abandoned.push_back(abandon->link);
    }
    audit_.settle();
    for (const std::string& complaint : audit_.complaints()) std::fprintf(stderr, "%s\n", complaint.c_str());
    fuzz::require(audit_.complaints().empty());
    for (const LinkId link : abandoned) fail_all(static_cast<std::uint32_t>(to_index(link)), FailureReason::kAbandoned);
  }

  struct Request {
    LinkId link{};
    ByteRange range;  // what is left
  };

  fuzz::Choices& choices_;
  SessionOptions options_;
  Session session_;
  testing::SessionAudit audit_;
  TimePoint now_;
  std::array<bool, kLinks> up_{};
  std::uint32_t published_ = 0;
  std::map<RequestId, Request> outstanding_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices{data, size};
  SegmentTable table = table_from(choices);
  AnyWorld{choices, std::move(table)}.run();
  return 0;
}
