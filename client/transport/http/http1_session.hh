#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/http/file_versions.hh"
#include "transport/http/http_session.hh"
#include "transport/http/range_answer.hh"
#include "transport/http/response_parser.hh"

namespace tributary::transport {

/// The HTTP/1.1 side of one connection: pipelined, with answers in the order of the requests.
class Http1Session final : public HttpSession {
 public:
  struct Limits {
    DataSize head = kLongestHead;
    DataSize discarded_body{64 * 1024};  // bytes of an error's body to read past; a longer one closes the connection
  };

  /// `authority`: the value of the Host field. The connections of one transport share `versions`, which must outlive
  /// them.
  Http1Session(std::string authority, FileVersions& versions, Limits limits);

  bool accepts_request() const override;
  void submit(RangeRequest request) override;
  std::string_view output() override { return std::string_view{output_}.substr(output_sent_); }
  void output_sent(std::size_t size) override;
  bool on_bytes(std::span<const std::byte> bytes, TimePoint now) override;
  void on_end(StreamStatus how) override;
  void on_round_trip(Duration /*round_trip*/) override {}
  bool can_ask_for_life() const override { return false; }
  void ask_for_life() override {}
  /// HTTP/1.1 cannot call off a request.
  bool abandon(TimePoint /*now*/) override { return !busy(); }
  void fail_all(FailureReason reason, const std::string& detail) override;
  std::optional<Event> next_event() override;
  bool out_of_order() const override { return out_of_order_; }
  bool within_answer() const override { return answer_.has_value(); }
  bool busy() const override { return answer_ || !asked_.empty(); }
  bool draining() const override { return draining_; }
  bool ended() const override { return ended_; }
  int responses() const override { return responses_; }
  int requests() const override { return responses_ + static_cast<int>(asked_.size()); }
  std::vector<RangeRequest> take_unanswered() override;

 private:
  void on_head(const ResponseHead& head);
  bool answers_a_later_request(const ResponseHead& head) const;
  void on_body(std::span<const std::byte> bytes);
  void on_response_end();
  void on_garbage();
  /// Ends the answer: done if all its bytes have come, otherwise failed.
  void end_answer(FailureReason reason, std::string detail);
  void fail(const RangeRequest& request, FailureReason reason, std::string detail);

  std::string authority_;
  FileVersions& versions_;
  Limits limits_;
  ResponseParser parser_;
  std::string output_;
  std::size_t output_sent_ = 0;
  std::deque<RangeRequest> asked_;     // without a response yet
  std::optional<RangeAnswer> answer_;  // the response that is arriving
  DataSize discarded_;                 // bytes of its body that were read past
  std::deque<Event> events_;
  bool ranges_proven_ = false;
  bool draining_ = false;
  bool ended_ = false;
  bool out_of_order_ = false;
  int responses_ = 0;
};

}  // namespace tributary::transport
