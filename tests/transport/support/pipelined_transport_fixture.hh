#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "canned_responses.hh"
#include "event_log.hh"
#include "scripted_network.hh"
#include "transport/pipelined_transport.hh"

namespace tributary::transport {

/// A transport in virtual time over a scripted network. Requests are for 10 bytes each.
class PipelinedTransportTest : public testing::Test {
 protected:
  void ask(unsigned id) {
    const RangeRequest asked = request(id, 0, 10);
    log_.submitted(asked);
    transport_.submit(asked, now_);
  }
  void advance(Duration by = std::chrono::milliseconds{1}) {
    now_ += by;
    transport_.advance(now_);
    while (const auto event = transport_.next_event()) log_.add(*event);
  }
  void connect(std::size_t number) {
    network_.connection(number).state = ByteStream::State::kConnected;
    advance();
  }
  void answer(std::size_t number, const std::string& bytes) {
    network_.connection(number).arriving += bytes;
    advance();
  }
  void end(std::size_t number, StreamStatus how = StreamStatus::kClosed) {
    network_.connection(number).end = how;
    advance();
  }
  /// How many requests were sent on the connection since the last call.
  int requests_on(std::size_t number) {
    std::string& sent = network_.connection(number).sent;
    int count = 0;
    for (auto at = sent.find("GET "); at != std::string::npos; at = sent.find("GET ", at + 1)) ++count;
    sent.clear();
    return count;
  }
  /// The first connection with requests 1 to count on it, of which the first is answered.
  void begin_with(unsigned count) {
    for (unsigned id = 1; id <= count; ++id) ask(id);
    connect(0);
    answer(0, good_);
    requests_on(0);
  }

  const std::string good_ = partial_content(0, 10);
  const std::string last_ = partial_content(0, 10, "Connection: close\r\n");
  ScriptedNetwork network_;
  PipelinedTransport transport_{[this] { return network_.connect(); }, "origin.example", {}};
  EventLog log_;
  TimePoint now_{};
};

}  // namespace tributary::transport
