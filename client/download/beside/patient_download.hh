#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "core/world.hh"
#include "download/beside/answers_beside.hh"
#include "download/beside/rest_report.hh"
#include "download/beside/session_watch.hh"
#include "worlds/event_source.hh"

namespace tributary {

/// Brings the object in one answer over one link, as a simpler client does, beside a session that fetches ranges over
/// all links. Both write the same file, with the same checks. At first this is the answer to the first question; the
/// session meanwhile has the other links. The session gets this link too when the answer stands still or is no longer
/// the soonest way.
///
/// An origin that delays each answer delays each request of a session. So if nothing comes any more, one further answer
/// with all that is missing is asked for. When the session brings more than that answer, the answer is given up.
class PatientDownload final : public EventSource, public SessionObserver {
 public:
  struct Options {
    std::vector<ByteRange> chunks;  // by segment
    bool may_be_had_whole = false;  // one answer without a range may be tried later
    AnswersBeside::Options answers;
  };
  /// Sink and state must outlive it.
  PatientDownload(ChunkSink& sink, const DownloadState& state, Options options);

  int file_descriptor() const override { return -1; }
  /// Tells the session which chunks it need not fetch. Ends it if the file cannot become whole: answers contradict each
  /// other, or the origin refuses all ranges.
  void advance(TimePoint now, std::deque<TimedEvent>& happened) override;
  std::optional<TimePoint> next_deadline() const override;
  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

  /// The same after the session has ended: goes on with the answer, but begins none.
  void advance();
  Duration until_deadline() const { return answers_.next_deadline() - now_; }

  const AnswersBeside& answers() const { return answers_; }
  /// The failure of all ranges, once they have come to nothing.
  std::optional<FailureReason> why_in_vain() const { return in_vain_; }

 private:
  void tell(TimePoint now, std::deque<TimedEvent>& happened);
  TimePoint own_time() const;

  std::vector<ByteRange> chunks_;
  bool may_be_had_whole_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  TimePoint now_;    // by our clock, and
  TimePoint world_;  // the same moment by the session's
  AnswersBeside answers_;
  SessionWatch session_;
  RestReport report_;
  std::optional<FailureReason> in_vain_;
  bool told_end_ = false;
};

}  // namespace tributary
