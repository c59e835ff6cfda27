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

/// The HTTP/2 side of one connection. Servers share a connection between its streams as they like; here the streams are
/// served in the order of the requests, because each may send only what it was granted, and grants are given in that order:
/// together never more than a window that is sized by what the path holds. Only within that window can bytes of a later
/// request overtake an earlier one.
class Http2Session final : public HttpSession, private Http2Framing::Listener {
 public:
  struct Limits {
    Http2Framing::Limits framing;
    ReceiveWindow::Limits window;
    DataSize discarded_body{64 * 1024};  // the body of an error is read past up to here, beyond we reset the stream
    std::size_t streams = 100;           // at a time, if the origin allows as many
    int refusals = 3;                    // streams refused in a row: then it is not by chance
    int pongs = 4;                       // signs of life in a row, without a byte of what is owed, that are believed
  };

  /// As for Http1Session.
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

  /// How many bytes may be under way.
  DataSize window() const { return window_.size(); }

 private:
  struct Stream {
    RangeAnswer answer;
    bool opened = false;  // the request has been sent
    bool headed = false;  // the final head has come
    bool began = false;   // its first byte has
    DataSize granted{};   // and not come yet
    DataSize discarded{};
  };
  using Streams = std::map<std::int32_t, Stream>;  // in the order of the requests, as the numbers are

  void on_opened(std::int32_t stream) override;
  void on_head(std::int32_t stream, const ResponseHead& head) override;
  void on_body(std::int32_t stream, std::span<const std::byte> bytes) override;
  void on_padding(std::int32_t stream, DataSize size) override;
  void on_closed(std::int32_t stream, Http2Framing::Error error, bool by_origin) override;
  void on_going_away() override { draining_ = true; }
  void on_pong() override;
  void on_body_bytes() override { alive_ = true; }

  /// Bytes that the stream may still need a grant for.
  static DataSize grantable(const Stream& stream, const Limits& limits);
  void grant_in_order();
  /// The stream, whose request has had its last event or is handed back, is not wanted any more.
  void call_off(Streams::iterator stream);
  void refused(Stream& stream);
  void hand_back(const Stream& stream) { unanswered_.push_back(stream.answer.request()); }
  void pay(Stream& stream, DataSize size);
  void on_broken();
  /// The connection is over: what has given bytes fails, the rest is handed back.
  void give_up(FailureReason reason, const std::string& detail);
  void end_if_done();

  std::string authority_;
  FileVersions& versions_;
  Limits limits_;
  ReceiveWindow window_;
  ResetBudget resets_;
  Streams streams_;
  DataSize under_way_;  // granted to streams and not come yet
  std::vector<RangeRequest> unanswered_;
  std::deque<Event> events_;
  TimePoint now_;
  bool ranges_proven_ = false;
  bool draining_ = false;
  bool ended_ = false;
  bool alive_ = false;   // something came in the bytes that are being read
  bool pinged_ = false;  // and not answered
  int pongs_ = 0;        // in a row
  int refusals_ = 0;     // in a row
  int responses_ = 0;
  Http2Framing framing_;
};

}  // namespace tributary::transport
