#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "apps/get/files/chunk_sink.hh"
#include "apps/get/files/download_state.hh"
#include "apps/get/front_download.hh"
#include "core/world.hh"
#include "transport/http_transport.hh"
#include "transport/origin_pace.hh"
#include "worlds/event_source.hh"

namespace tributary {

/// Of an answer that nobody could have sooner in another way: for as long as the other end lives.
transport::OriginPace endless_patience();

/// Brings the object in one answer over one link, as any simpler client would, beside a session that fetches it in ranges over all
/// links, into the same file and by the same checks. That is the answer to the first question at first. The session has the other links
/// meanwhile, and this one as soon as the answer stands still, or is no longer the soonest way.
///
/// Where an origin lets each answer stand still, a session pays for that with each of its requests. So if nothing comes any more, all
/// that is missing is asked for in one answer again. When the session brings more by itself, that answer is given up.
class PatientDownload final : public EventSource, public SessionObserver {
 public:
  /// Which links the session is to leave alone.
  enum class Holds { kAllLinks, kItsLink, kNoLink };
  using Connect = std::function<std::unique_ptr<transport::HttpTransport>()>;

  struct Options {
    std::vector<ByteRange> chunks;         // by segment
    transport::RangeRequest asked{};       // for all of the object; its range begins where something is missing
    Duration turnaround{};                 // of the link (transport/connections/curl_handle.hh)
    Connect connect;                       // over the link
    std::unique_ptr<FrontAnswer> front{};  // the answer to the first question, if it goes on
    ByteRange brings{};                    // by it
    bool holds_links = true;               // as long as the first answer comes
    bool may_be_had_whole = false;         // without a range, if ranges come to nothing
    std::function<void()> let_go{};        // is called when it holds fewer links
  };
  /// Sink and state must outlive it.
  PatientDownload(ChunkSink& sink, const DownloadState& state, Options options);

  /// How long nothing comes from an origin that is not slow. A link of 100 ms and 5 % loss was not measured to be silent for longer
  /// than a third of a second (transport/connections/progress_timer.hh); one that takes long to connect takes as long for everything.
  static Duration patience(Duration turnaround) {
    return std::max<Duration>(std::chrono::milliseconds{350}, 2 * turnaround);
  }

  Holds holds() const { return holds_; }

  int file_descriptor() const override { return -1; }
  /// Tells the session what it need not fetch; ends it when the file cannot become whole so: answers contradict each other, or all
  /// that come are refused.
  void advance(TimePoint now, std::deque<TimedEvent>& happened) override;
  std::optional<TimePoint> next_deadline() const override;
  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

  /// The same without a session, whose end it need not be: goes on with the answer, but begins none.
  void advance();
  Duration until_deadline() const;

  /// It is of another version than the object.
  bool is_of_another() const { return is_of_another_; }
  /// Why ranges come to nothing; nothing as long as they do not.
  std::optional<FailureReason> why_in_vain() const { return ranges_in_vain_ ? failure_ : std::nullopt; }
  bool running() const { return transport_ != nullptr || is_front_running(); }
  bool whole() const { return state_.complete.size() == state_.size; }
  /// By these answers.
  DataSize received() const { return received_ + (front_ ? front_->received() : DataSize{}); }
  /// Lately.
  DataRate rate() const { return rate_; }
  /// How long the first answer came over its link alone; nothing if it did not.
  std::optional<Duration> carried_alone() const;

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
  std::optional<SegmentIndex> coming() const;
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
  std::size_t rest_;   // all chunks from there on are complete
  TimePoint tell_at_;  // of what has come, though no chunk is complete
  DataSize told_received_;
  std::optional<SegmentIndex> told_coming_;
  bool told_end_ = false;
  std::optional<FailureReason> failure_;  // of the session since something came, that may be for the range
  bool ranges_in_vain_ = false;
  std::optional<bool> link_is_shared_;  // with the first answer, once the session has the link
};

}  // namespace tributary
