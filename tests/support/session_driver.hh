#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/session.hh"
#include "support/link_ids.hh"

namespace tributary::testing {

inline SegmentIndex segment(int number) { return static_cast<SegmentIndex>(number); }

/// Requests of a fixed size, which does not depend on what links carry.
inline SessionOptions static_options(std::uint32_t buffer) {
  SessionOptions options;
  options.subsegments = SubsegmentApproach::kStatic;
  options.buffer_segments = buffer;
  return options;
}
/// The same in a live session, in which a segment of up to 1 MB is one request.
inline SessionOptions live_options(StreamingMode mode, std::uint32_t buffer) {
  SessionOptions options = static_options(buffer);
  options.mode = mode;
  options.subsegment_size = DataSize{1'000'000};
  return options;
}

/// Tells a session events, step by step, and keeps its actions. Time moves only in wait().
class SessionDriver {
 public:
  SessionDriver(SegmentTable table, SessionOptions options) : session_{std::move(table), std::move(options)} {}

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  TimePoint now() const { return now_; }

  void happens(const Event& event) {
    session_.handle(event, now_);
    while (const auto action = session_.next_action()) {
      actions_.push_back(*action);
      if (const auto* sent = std::get_if<action::SendRequest>(&*action)) {
        unanswered_.insert(sent->request);
        requests_.insert_or_assign(sent->request, *sent);
      }
    }
  }
  /// Moves on in time, and wakes the session at its deadlines.
  void wait(Duration duration) {
    const TimePoint until = now_ + duration;
    for (auto deadline = session_.next_deadline(); deadline && *deadline <= until;
         deadline = session_.next_deadline()) {
      now_ = *deadline;
      happens(event::DeadlineReached{});
    }
    now_ = until;
  }
  void link_up(int link, const std::string& name) { happens(event::LinkUp{static_cast<LinkId>(link), name}); }

  /// The whole response to a request arrives now.
  void answer(RequestId id) {
    const ByteRange range = request(id).range;
    happens(event::ResponseBegan{id});
    happens(event::BytesReceived{id, range.size()});
    end(id);
  }
  /// All of the answer was told.
  void end(RequestId id) {
    happens(event::RequestDone{id});
    unanswered_.erase(id);
  }
  void fail(RequestId id, FailureReason reason) {
    unanswered_.erase(id);
    happens(event::RequestFailed{id, reason, ""});
  }
  /// Answers all outstanding requests, and those that follow, until the session sends no more.
  void answer_all() {
    while (!unanswered_.empty()) answer(*unanswered_.begin());
  }
  const std::set<RequestId>& unanswered() const { return unanswered_; }
  /// Throws std::out_of_range if there is no such request.
  const action::SendRequest& request(RequestId id) const { return requests_.at(id); }

  /// All actions of this kind so far.
  template <typename Kind>
  std::vector<Kind> all() const {
    std::vector<Kind> result;
    for (const Action& action : actions_) {
      if (const auto* found = std::get_if<Kind>(&action)) result.push_back(*found);
    }
    return result;
  }

 private:
  Session session_;
  TimePoint now_;
  std::vector<Action> actions_;
  std::map<RequestId, action::SendRequest> requests_;
  std::set<RequestId> unanswered_;
};

}  // namespace tributary::testing
