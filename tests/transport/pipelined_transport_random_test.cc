// An origin that closes, resets, announces and falls silent as chance has it; no byte may be lost or given twice.
#include <gtest/gtest.h>

#include <charconv>
#include <map>
#include <random>

#include "canned_responses.hh"
#include "event_log.hh"
#include "scripted_network.hh"
#include "transport/pipelined_transport.hh"

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;

constexpr int kFileSize = 1000;

/// Takes the next request from what was sent. Nothing if there is no whole one.
std::optional<ByteRange> next_request(std::string& sent) {
  const auto end = sent.find("\r\n\r\n");
  if (end == std::string::npos) return std::nullopt;
  std::int64_t first = 0;
  std::int64_t last = 0;
  const char* range = sent.data() + sent.find("bytes=") + 6;
  const char* dash = std::from_chars(range, sent.data() + end, first).ptr;
  std::from_chars(dash + 1, sent.data() + end, last);
  sent.erase(0, end + 4);
  return ByteRange{DataSize{first}, DataSize{last + 1}};
}

class ChanceOrigin {
 public:
  ChanceOrigin(ScriptedNetwork& network, unsigned seed) : network_{network}, random_{seed} {}

  bool chance(int percent) { return below(100) < percent; }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  /// Something happens on each connection, or nothing.
  void act() {
    for (std::size_t number = 0; number < network_.connections(); ++number) act(network_.connection(number), number);
  }

 private:
  void act(ScriptedNetwork::Connection& connection, std::size_t number) {
    if (connection.released || connection.end != StreamStatus::kOpen) return;
    if (connection.state == ByteStream::State::kConnecting) {
      if (chance(5)) {
        connection.state = ByteStream::State::kFailed;
        connection.failure = {FailureReason::kRefused, "chance"};
      } else if (chance(60)) {
        connection.state = ByteStream::State::kConnected;
      }
      return;
    }
    std::string& sending = unsent_[number];  // responses made, of which the network has not taken all
    if (!closing_[number] && chance(50)) {
      if (const auto range = next_request(connection.sent)) {
        closing_[number] = chance(15);
        sending += partial_content(static_cast<int>(range->begin.bytes()), static_cast<int>(range->end.bytes()),
                                   closing_[number] ? "Connection: close\r\n" : "");
      }
    }
    const std::size_t size = std::min<std::size_t>(sending.size(), static_cast<std::size_t>(below(400)));
    connection.arriving += sending.substr(0, size);
    sending.erase(0, size);
    if ((closing_[number] && sending.empty()) || chance(2)) {
      connection.end = chance(50) ? StreamStatus::kClosed : StreamStatus::kReset;
    }
  }

  ScriptedNetwork& network_;
  std::mt19937 random_;
  std::map<std::size_t, std::string> unsent_;
  std::map<std::size_t, bool> closing_;
};

/// Fetches the file in ranges of chance sizes, asking again for what was missing. Returns what came.
std::string fetch_file(unsigned seed) {
  ScriptedNetwork network;
  ChanceOrigin origin{network, seed};
  PipelinedTransport transport{[&] { return network.connect(); }, "origin.example", {}};
  EventLog log;
  std::map<RequestId, ByteRange> asked;
  TimePoint now{};
  unsigned last_id = 0;
  const auto ask = [&](DataSize begin, DataSize end) {
    const RangeRequest next = request(++last_id, static_cast<int>(begin.bytes()), static_cast<int>(end.bytes()));
    asked[next.id] = next.range;
    log.submitted(next);
    transport.submit(next, now);
  };

  for (int begin = 0; begin < kFileSize;) {
    const int end = std::min(kFileSize, begin + 1 + origin.below(150));
    ask(DataSize{begin}, DataSize{end});
    begin = end;
  }
  for (int step = 0; step < 100'000 && log.open_requests() > 0; ++step) {
    now += 10ms;
    origin.act();
    if (origin.chance(1)) transport.close(FailureReason::kLinkDown, now);
    transport.advance(now);
    while (const auto event = transport.next_event()) {
      log.add(*event);
      const auto* failed = std::get_if<RequestFailed>(&*event);
      if (failed == nullptr) continue;
      const ByteRange range = asked.at(failed->id);
      const DataSize given{static_cast<std::int64_t>(log.bytes(failed->id).size())};
      if (given < range.size()) ask(range.begin + given, range.end);
    }
  }
  std::map<DataSize, std::string> pieces;
  for (const auto& [id, range] : asked) {
    if (!log.bytes(id).empty()) pieces[range.begin] += log.bytes(id);
  }
  std::string file;
  for (const auto& [begin, bytes] : pieces) file += bytes;
  return file;
}

TEST(PipelinedTransportRandom, NoByteIsLostOrGivenTwice) {
  const std::string file = content({DataSize{0}, DataSize{kFileSize}});
  for (unsigned seed = 1; seed <= 500; ++seed) {
    ASSERT_EQ(fetch_file(seed), file) << "seed " << seed;
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tributary::transport
