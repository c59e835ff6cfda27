#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "transport/http/file_versions.hh"
#include "transport/http/http2_framing.hh"
#include "transport/http/http_session.hh"
#include "transport/http/range_answer.hh"
#include "transport/http/receive_window.hh"
#include "transport/http/reset_budget.hh"

namespace tributary::transport {

/// The HTTP/2 side of one connection. Servers share a connection among its streams as they like. Here streams are
/// served in the order of the requests: each may send only the bytes that it was granted, and grants go out in that
/// order. All grants together never exceed a window that is sized by the capacity of the path. Only within that window
/// can bytes of a later request overtake an earlier one.
class Http2Session final : public HttpSession, private Http2Framing::Listener {
 public:
  struct Limits {
    Http2Framing::Limits framing;
    ReceiveWindow::Limits window;
    DataSize discarded_body{64 * 1024};  // bytes of an error's body to read past; a longer one resets the stream
    std::size_t streams = 100;           // at a time, if the origin allows this number
    int refusals = 3;                    // refused streams in a row that are no chance any more
    int pongs = 4;                       // signs of life in a row that count, without an owed byte between them
  };

  /// The arguments are as for Http1Session.
  Http2Session(std::string authority, FileVersions& versions, Limits limits);

  bool accepts_request() const override;
  void submit(RangeRequest request) override;
  std::string_view output() override { return framing_.output(); }
  void output_sent(std::size_t size) override { framing_.output_sent(size); }
  bool on_bytes(std::span<const std::byte> bytes, TimePoint now) override;
  void on_end(StreamStatus how) override;
  void on_round_trip(Duration round_trip) override { window_.on_round_trip(round_trip); }
  bool can_ask_for_life() const override { return !pinged_ && pongs_ < limits_.pongs; }
  void ask_for_life() override;
  bool abandon(TimePoint now) override;
  void fail_all(FailureReason reason, const std::string& detail) override;
  std::optional<Event> next_event() override;
  bool within_answer() const override;
  bool busy() const override;
  bool draining() const override { return draining_; }
  bool ended() const override { return ended_; }
  int responses() const override { return responses_; }
  int requests() const override;
  std::vector<RangeRequest> take_unanswered() override;

  /// The number of bytes that may be under way.
  DataSize window() const { return window_.size(); }

 private:
  struct Stream {
    RangeAnswer answer;
    bool opened = false;  // the request has been sent
    bool headed = false;  // the final head has come
    bool began = false;   // the first byte of the body has come
    DataSize granted{};   // granted bytes that have not come yet
    DataSize discarded{};
  };
  using Streams = std::map<std::int32_t, Stream>;  // by number, which is the order of the requests

  void on_opened(std::int32_t stream) override;
  void on_head(std::int32_t stream, const ResponseHead& head) override;
  void on_body(std::int32_t stream, std::span<const std::byte> bytes) override;
  void on_padding(std::int32_t stream, DataSize size) override;
  void on_closed(std::int32_t stream, Http2Framing::Error error, bool by_origin) override;
  void on_going_away() override { draining_ = true; }
  void on_pong() override;
  void on_body_bytes() override { alive_ = true; }

  /// Bytes of the stream that still need a grant.
  static DataSize grantable(const Stream& stream, const Limits& limits);
  void grant_in_order();
  /// Resets a stream that is not wanted any more. Its request must have had its last event, or be handed back.
  void call_off(Streams::iterator stream);
  void refused(Stream& stream);
  void hand_back(const Stream& stream) { unanswered_.push_back(stream.answer.request()); }
  void pay(Stream& stream, DataSize size);
  void on_broken();
  /// To be called when the connection is over. Requests that have given bytes fail; the others are handed back.
  void give_up(FailureReason reason, const std::string& detail);
  void end_if_done();

  std::string authority_;
  FileVersions& versions_;
  Limits limits_;
  ReceiveWindow window_;
  ResetBudget resets_;
  Streams streams_;
  DataSize under_way_;  // bytes granted to all streams that have not come yet
  std::vector<RangeRequest> unanswered_;
  std::deque<Event> events_;
  TimePoint now_;
  bool ranges_proven_ = false;
  bool draining_ = false;
  bool ended_ = false;
  bool alive_ = false;   // the bytes that are being read hold a sign of life
  bool pinged_ = false;  // a ping is not answered yet
  int pongs_ = 0;        // in a row
  int refusals_ = 0;     // in a row
  int responses_ = 0;
  Http2Framing framing_;
};

}  // namespace tributary::transport
