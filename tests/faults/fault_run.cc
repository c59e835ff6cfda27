#include "fault_run.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "core/session.hh"
#include "fault_world.hh"
#include "made_up_files.hh"
#include "needless_stalls.hh"

namespace tributary::testing {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kLatest{std::chrono::minutes{20}};
constexpr std::size_t kMostEvents = 2'000'000;

/// The actions that the world takes are seen before it does.
class Examination {
 public:
  explicit Examination(const FaultPlan& plan)
      : plan_{plan},
        session_{table_of(plan), plan.options},
        world_{plan, session_},
        audit_{session_},
        stalls_{plan, session_, audit_} {
    world_.deliver = [this](SegmentIndex segment, const std::vector<MediaPart>& parts) { check_bytes(segment, parts); };
  }

  FaultResult run(SessionObserver* also, const Look& look) {
    while (!session_.finished()) {
      if (++result_.events > kMostEvents) {
        fault("there is no end to the events");
        break;
      }
      const TimedEvent next = world_.next_event(session_.next_deadline());
      if (next.at > kLatest) {
        fault("there is no end");
        break;
      }
      audit_.on_event(next.event, next.at);
      if (std::holds_alternative<event::SeekRequested>(next.event)) stalls_.on_seek();
      if (also != nullptr) also->on_event(next.event, next.at);
      session_.handle(next.event, next.at);
      while (const auto action = session_.next_action()) {
        audit_.on_action(*action, next.at);
        if (also != nullptr) also->on_action(*action, next.at);
        if (const auto* start = std::get_if<action::StartSegment>(&*action)) started(*start);
        if (const auto* play = std::get_if<action::PlaySegment>(&*action)) played(*play);
        world_.perform(*action, next.at);
      }
      audit_.settle();
      stalls_.look(next.at);
      if (look) look(session_, audit_);
      check_memory();
      if (!audit_.complaints().empty() || !result_.faults.empty()) break;
    }
    conclude();
    return std::move(result_);
  }

 private:
  void fault(std::string what) {
    result_.faults.push_back(fmt::format("{:.6f} s: {}", to_seconds(audit_.now), std::move(what)));
  }

  void started(const action::StartSegment& start) {
    if (quality_.size() <= to_index(start.segment)) quality_.resize(to_index(start.segment) + 1);
    quality_[to_index(start.segment)] = start.quality;
  }

  void played(const action::PlaySegment& play) {
    if (auto complaint = stalls_.complaint(play)) fault(std::move(*complaint));
  }

  void check_bytes(SegmentIndex segment, const std::vector<MediaPart>& media) {
    const auto parts = session_.table().parts(segment, quality_.at(to_index(segment)));
    if (media.size() != parts.size()) return fault("a segment with other parts than it has");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string file = "/" + parts[i].resource.uri;
      const ByteRange range = parts[i].resource.range;
      if (!is(media[i].bytes, made_up_bytes(file, range)) &&
          !is(media[i].bytes, made_up_bytes(other_version(file), range)))
        fault(fmt::format("segment {} has wrong bytes", to_index(segment)));
    }
  }
  static bool is(std::span<const std::byte> bytes, std::string_view right) {
    return bytes.size() == right.size() && std::memcmp(bytes.data(), right.data(), right.size()) == 0;
  }

  void check_memory() {
    DataSize most;
    for (std::size_t i = 0; i < quality_.size(); ++i) {
      most = std::max(most, session_.table().size(static_cast<SegmentIndex>(i), session_.table().highest_quality()));
      most = std::max(most, session_.table().size(static_cast<SegmentIndex>(i), quality_[i]));
    }
    if (world_.held() > plan_.options.buffer_segments * most)
      fault(fmt::format("{} bytes are held", world_.held().bytes()));
  }

  void conclude() {
    std::ranges::copy(audit_.complaints(), std::back_inserter(result_.faults));
    result_.requests = audit_.requests;
    result_.failures = audit_.failures;
    result_.taken_over = audit_.taken_over;
    result_.end = audit_.now;
    for (const action::PlaySegment& played : audit_.played) {
      if (played.miss == Duration::zero()) continue;
      ++result_.stalls;
      result_.stalled += played.miss;
    }
    if (!audit_.finish) return;
    result_.complete = audit_.finish->complete;
    result_.ended_because = audit_.finish->reason;
    if (plan_.survivor) check_survival();
  }

  void check_survival() {
    if (!result_.complete) fault("there is a link without a fault, and it ends: " + result_.ended_because);
  }

  const FaultPlan& plan_;
  Session session_;
  FaultWorld world_;
  SessionAudit audit_;
  NeedlessStalls stalls_;
  std::vector<QualityIndex> quality_;
  FaultResult result_;
};

}  // namespace

FaultResult run_plan(const FaultPlan& plan, SessionObserver* also, const Look& look) {
  return Examination{plan}.run(also, look);
}

}  // namespace tributary::testing
