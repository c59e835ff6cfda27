#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

#include "apps/get/early_answer.hh"
#include "apps/get/files/chunk_sink.hh"
#include "apps/get/files/download_state.hh"
#include "transport/http_transport.hh"
#include "transport/origin_pace.hh"
#include "worlds/event_source.hh"

namespace tributary {

/// Of an answer that nobody could have sooner in another way: for as long as the other end lives.
transport::OriginPace endless_patience();

/// Where an origin lets each answer stand still, a session pays for that with each of its requests. Then all that is missing is asked
/// for in one answer as well, as any simpler client would, beside the session and into the same file; it goes through the same checks.
/// Whichever is sooner, the file is whole. As soon as the session brings more by itself, the answer is given up.
class PatientDownload final : public EventSource {
 public:
  using Connect = std::function<std::unique_ptr<transport::HttpTransport>()>;

  /// Sink and state must outlive it. `asked`: for all of the object; its range begins where something is missing. `turnaround`: of
  /// the link (transport/connections/curl_handle.hh).
  PatientDownload(ChunkSink& sink, const DownloadState& state, transport::RangeRequest asked, Duration turnaround,
                  Connect connect);

  /// How long nothing comes from an origin that is not slow. A link of 100 ms and 5 % loss was not measured to be silent for longer
  /// than a third of a second (transport/connections/progress_timer.hh); one that takes long to connect takes as long for everything.
  static Duration patience(Duration turnaround) {
    return std::max<Duration>(std::chrono::milliseconds{350}, 2 * turnaround);
  }

  /// Goes on with an answer that has been asked for: of the same version, and by the same checks.
  void take_over(EarlyAnswer& early);

  int file_descriptor() const override { return -1; }
  /// Ends the session when the file is whole, or never can be: answers contradict each other.
  void advance(TimePoint now, std::deque<TimedEvent>& happened) override;
  std::optional<TimePoint> next_deadline() const override;

  /// The same without a session, whose end it need not be: goes on with the answer, but begins none.
  void advance();
  Duration until_deadline() const;

  /// It is of another version than the object.
  bool is_of_another() const { return is_of_another_; }
  bool running() const { return transport_ != nullptr; }
  bool whole() const { return state_.complete.size() == state_.size; }
  /// By this answer.
  DataSize received() const { return received_; }

 private:
  void begin(TimePoint now);
  void take_events();
  void take(const transport::Event& event);
  void give_up();
  void compare(TimePoint now);
  TimePoint now() const;

  ChunkSink& sink_;
  const DownloadState& state_;
  transport::RangeRequest asked_;
  Connect connect_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  TimePoint world_;                                      // the last moment that the session's world has told, and
  TimePoint told_;                                       // the same by our clock
  Duration patience_;                                    // with a session that brings nothing
  TimePoint quiet_since_;                                // nothing has come since
  DataSize here_;                                        // of the object, at that moment
  std::unique_ptr<transport::HttpTransport> transport_;  // while there is an answer to wait for
  DataSize received_;
  TimePoint compare_at_;
  DataSize here_before_, received_before_;  // when they were compared last
  int behind_ = 0;                          // so many times in a row
  bool is_of_another_ = false;
  bool told_end_ = false;
};

}  // namespace tributary
