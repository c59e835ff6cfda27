#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/world.hh"
#include "download/beside/front_download.hh"
#include "download/beside/rest_report.hh"
#include "download/files/chunk_sink.hh"
#include "download/files/download_state.hh"
#include "transport/http_transport.hh"
#include "transport/origin_pace.hh"
#include "worlds/event_source.hh"

namespace tributary {

/// The pace for an answer that no other request can bring sooner: it is waited for as long as the other end lives.
transport::OriginPace endless_patience();

/// Brings the object in one answer over one link, as a simpler client does, beside a session that fetches ranges over
/// all links. Both write the same file, with the same checks. At first this is the answer to the first question; the
/// session meanwhile has the other links. The session gets this link too when the answer stands still or is no longer
/// the soonest way.
///
/// An origin that delays each answer delays each request of a session. So if nothing comes any more, one further answer
/// with all that is missing is asked for. When the session brings more than that answer, the answer is given up.
class PatientDownload final : public EventSource, public SessionObserver {
 public:
  /// The links that the session must leave alone.
  enum class Holds { kAllLinks, kItsLink, kNoLink };
  using Connect = std::function<std::unique_ptr<transport::HttpTransport>()>;

  struct Options {
    std::vector<ByteRange> chunks;         // by segment
    transport::RangeRequest asked{};       // for all of the object; the range is filled in
    Duration turnaround{};                 // of the link (transport/connections/curl_handle.hh)
    Connect connect;                       // over the link
    std::unique_ptr<FrontAnswer> front{};  // the answer to the first question, if it goes on
    ByteRange brings{};                    // the range that it brings
    bool holds_links = true;               // while the first answer comes
    bool may_be_had_whole = false;         // one answer without a range may be tried later
    std::function<void()> let_go{};        // called when it holds fewer links
  };
  /// Sink and state must outlive it.
  PatientDownload(ChunkSink& sink, const DownloadState& state, Options options);

  /// The longest silence of an origin that is not slow. A link of 100 ms and 5 % loss was silent for at most a third of
  /// a second (transport/sockets/progress_timer.hh). A link that takes long to connect takes as long for
  /// everything.
  static Duration patience(Duration turnaround) {
    return std::max<Duration>(std::chrono::milliseconds{350}, 2 * turnaround);
  }

  Holds holds() const { return holds_; }

  int file_descriptor() const override { return -1; }
  /// Tells the session which chunks it need not fetch. Ends it if the file cannot become whole: answers contradict each
  /// other, or the origin refuses all ranges.
  void advance(TimePoint now, std::deque<TimedEvent>& happened) override;
  std::optional<TimePoint> next_deadline() const override;
  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

  /// The same after the session has ended: goes on with the answer, but begins none.
  void advance();
  Duration until_deadline() const;

  /// True if the answer is of another version of the object.
  bool is_of_another() const { return is_of_another_; }
  /// The failure of all ranges, once they have come to nothing.
  std::optional<FailureReason> why_in_vain() const { return ranges_in_vain_ ? failure_ : std::nullopt; }
  bool running() const { return transport_ != nullptr || is_front_running(); }
  bool whole() const { return state_.complete.size() == state_.size; }
  /// The bytes of these answers.
  DataSize received() const { return received_ + (front_ ? front_->received() : DataSize{}); }
  /// Their rate in the last second.
  DataRate rate() const { return rate_; }
  struct Carried {
    DataSize size;
    Duration busy;
  };
  /// The bytes of the first answer, as long as no session used its link. If a session used it from the beginning, nothing.
  std::optional<Carried> carried_alone() const;

 private:
  bool is_front_running() const { return front_ && front_->running(); }
  void begin(TimePoint now);
  void take_events();
  void take(const transport::Event& event);
  void give_up();
  void compare();
  void hold(Holds what);
  void let_go_of_link();
  void hold_what_it_should();
  void tell(TimePoint now, std::deque<TimedEvent>& happened);
  TimePoint now() const;

  ChunkSink& sink_;
  const DownloadState& state_;
  Options options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  TimePoint world_;        // the last moment that the session's world has told, and
  TimePoint told_;         // the same by our clock
  Duration patience_;      // with a session that brings nothing
  TimePoint came_at_;      // something of the object came last
  TimePoint quiet_since_;  // nothing has come since, and no answer was given up
  DataSize here_;          // of the object, at that moment
  std::optional<FrontDownload> front_;
  Holds holds_ = Holds::kNoLink;
  SessionSeen session_;
  std::unique_ptr<transport::HttpTransport> transport_;  // while there is a later answer to wait for
  DataSize received_;                                    // by those
  TimePoint compare_at_;
  DataSize here_before_, received_before_;  // when they were compared last
  DataRate rate_;
  int behind_ = 0;  // so many times in a row
  bool is_of_another_ = false;
  RestReport report_;
  event::RestArrived known_;  // to the session
  bool told_end_ = false;
  std::optional<FailureReason> failure_;  // of the session since something came, that may be for the range
  bool ranges_in_vain_ = false;
  bool let_go_ = false;  // of its link
  Carried until_then_;
};

}  // namespace tributary
