#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "download/beside/front_download.hh"
#include "download/beside/later_answer.hh"
#include "download/beside/link_hold.hh"
#include "download/beside/pace_comparison.hh"
#include "download/beside/rest_report.hh"
#include "download/beside/silence.hh"
#include "download/files/chunk_sink.hh"
#include "download/files/download_state.hh"
#include "transport/http_transport.hh"

namespace tributary {

/// What fills a file beside a session, over one link: the first answer, and later ones, one at a time. Gives an answer up
/// when the session brings more. Time is that of the caller's clock.
class AnswersBeside {
 public:
  struct Options {
    transport::RangeRequest asked{};       // for all of the object; the range is filled in
    Duration turnaround{};                 // of the link (transport/connections/curl_handle.hh)
    LaterAnswer::Connect connect;          // over the link
    std::unique_ptr<FrontAnswer> front{};  // the answer to the first question, if it goes on
    ByteRange brings{};                    // the range that it brings
    LinkHold::Holds holds{};               // while it comes
    bool may_share = false;                // its link, if it does not fill that
    std::function<void()> let_go{};        // called when it holds fewer links
  };
  /// Sink and state must outlive it.
  AnswersBeside(ChunkSink& sink, const DownloadState& state, Options options, TimePoint now);
  AnswersBeside(const AnswersBeside&) = delete;

  /// Takes what has come. True if something of the object is there since the last call, whoever brought it. Throws
  /// WriteError.
  bool advance(const SessionSeen& session, TimePoint now);
  TimePoint next_deadline() const;
  /// Asks for all that is missing, where nothing has come for too long.
  void ask_if_silent(TimePoint now);
  /// The session gets the link of these answers.
  void let_go_of_link(TimePoint now);

  bool running() const { return later_.running() || is_front_running(); }
  bool whole() const { return state_.complete.size() == state_.size; }
  /// Nothing comes any more, nor is asked for.
  bool is_silent_for_good(TimePoint now) const { return !running() && silence_.is_for_good(now); }
  /// The last answer was of another version of the object.
  bool is_of_another() const { return later_.is_of_another(); }
  LinkHold::Holds holds() const { return front_ ? hold_.holds() : LinkHold::Holds::kNoLink; }
  std::optional<LinkHold::Carried> carried_alone() const;
  LinkHold::Carried carried_with_session() const {
    return front_ ? hold_.carried_with_session(*front_) : LinkHold::Carried{};
  }
  /// The rate of the first answer, if it did not fill its link, and goes on.
  std::optional<DataRate> leaves_room() const { return is_front_running() ? hold_.leaves_room() : std::nullopt; }
  /// For what the session is told; nothing if there was no such answer.
  std::optional<RestReport::Front> front(const SessionSeen& session, TimePoint now) const;
  /// The bytes of these answers, and their rate in the last second.
  DataSize received() const { return later_.received() + (front_ ? front_->received() : DataSize{}); }
  DataRate rate() const { return comparison_.rate(); }

 private:
  bool is_front_running() const { return front_ && front_->running(); }
  PaceComparison::Sizes sizes() const { return {state_.complete.size(), received()}; }
  void give_up(TimePoint now);

  const DownloadState& state_;
  Silence silence_;
  std::optional<FrontDownload> front_;
  LinkHold hold_;
  LaterAnswer later_;
  PaceComparison comparison_{sizes()};
};

}  // namespace tributary
