#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/documents/object_fetch.hh"

namespace tributary {

/// The first question of a download, and its answer. It asks for all of the object from some byte on, as a simpler
/// client does: a slow origin is then asked no more often than by that client. The bytes of a range wait here until
/// take(); when kMostWaiting have come, the origin waits as well.
class FrontAnswer {
 public:
  using TakeWhole = transport::ObjectFetch::TakeBody;

  /// What a fast link brings in the round trips that it takes to find out how long the object is.
  static constexpr DataSize kMostWaiting{16'000'000};

  struct Question {
    transport::ObjectFetch::Wanted wanted{};
    DataSize from{};  // where the rest begins
  };
  /// The loop must outlive it. `take` receives an object that comes whole.
  FrontAnswer(transport::CurlLoop& loop, const std::string& url, const transport::LinkRules& rules, Question question,
              TakeWhole take);

  /// The object's head, as soon as it is known. For a single byte, and for an object that comes whole, that is the end
  /// of the answer. Throws transport::FetchError.
  std::optional<transport::ObjectHead> head();
  bool answered() const { return fetch_.answered(); }
  std::optional<Duration> turnaround() const { return fetch_.turnaround(); }
  /// The round trip of now, with the queue that the answer fills.
  std::optional<Duration> round_trip() const { return fetch_.round_trip(); }
  bool out_of_order() const { return fetch_.out_of_order(); }
  /// The origin need not send more than this.
  void accept_at_most(DataSize size) { fetch_.accept_at_most(size); }
  const Question& question() const { return question_; }

  /// Bytes of the range that take() would return.
  std::span<const std::byte> waiting() const { return bytes_; }
  /// Bytes of the range that have come since the last call.
  std::vector<std::byte> take();
  /// True if no more bytes will come; the answer may have ended too early.
  bool ended();

 private:
  void receive(const transport::ObjectHead& head, std::span<const std::byte> bytes);

  Question question_;
  TakeWhole take_;
  std::vector<std::byte> bytes_;
  bool ended_ = false;
  bool paused_ = false;
  transport::ObjectFetch fetch_;
};

}  // namespace tributary
