#include "worlds/streaming_job.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "support/tables.hh"
#include "support/told_memory.hh"
#include "worlds/found_presentation.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::ToldMemory;

/// Files of 1000 bytes, with ranges.
FaultyOrigin::Reply range_of(const std::string& head) {
  static const std::string kField = "Range: bytes=";
  const std::string range = head.substr(head.find(kField) + kField.size());
  return {transport::partial_content(std::stoi(range), std::stoi(range.substr(range.find('-') + 1)) + 1)};
}

struct CollectedSegments : SegmentSink {
  std::vector<std::string> segments;
  void take(SegmentIndex /*segment*/, std::vector<MediaPart> parts) override {
    const auto* text = reinterpret_cast<const char*>(parts.at(0).bytes.data());
    segments.emplace_back(text, parts[0].bytes.size());
  }
};

struct EventLog : SessionObserver {
  std::vector<Event> events;
  std::set<TimePoint> wake_ups;
  void on_event(const Event& event, TimePoint at) override {
    events.push_back(event);
    wake_ups.insert(at);
  }
  void on_action(const Action& /*action*/, TimePoint /*at*/) override {}
  template <typename Kind>
  const Kind* first() const {
    for (const Event& event : events) {
      if (const auto* found = std::get_if<Kind>(&event)) return found;
    }
    return nullptr;
  }
};

/// Three segments of 1000 bytes, over the loopback interface.
class StreamingJobTest : public ::testing::Test {
 protected:
  StreamingJobTest() {
    found.location = transport::parse_url(fmt::format("http://127.0.0.1:{}/index.json", server.port()));
    found.addresses = {"127.0.0.1"};
    wiring.connections = connections_to(found, loop, {});
    wiring.network.sink = &sink;
    wiring.observers = {&log};
  }

  FaultyOrigin server{range_of};
  FoundPresentation found;
  transport::CurlLoop loop;
  Session session{testing::constant_table(3, {1_kB}), {}};
  CollectedSegments sink;
  EventLog log;
  LinkPolicy policy{.links = {"lo"}};
  StreamingJob::Wiring wiring;
};

TEST_F(StreamingJobTest, BringsEverySegmentToTheSink) {
  StreamingJob run{policy, found.addresses, &loop};
  run.run(session, wiring);
  EXPECT_TRUE(session.finished());
  EXPECT_FALSE(run.stopped());
  EXPECT_EQ(sink.segments, std::vector(3, transport::content({0_B, 1_kB})));
  ASSERT_NE(run.links().find("lo"), nullptr);
  EXPECT_TRUE(run.links().find("lo")->usable);
  EXPECT_EQ(log.first<event::LinkCostTold>(), nullptr);
}

TEST_F(StreamingJobTest, HasALoopOfItsOwn) {
  StreamingJob run{policy, found.addresses};
  wiring.connections = connections_to(found, run.loop(), {});
  run.run(session, wiring);
  EXPECT_EQ(sink.segments.size(), 3U);
}

TEST_F(StreamingJobTest, TellsTheSessionOfCostsAndOfEarlierSessions) {
  ToldMemory memory;
  memory.known["network of lo"] = {8_Mbps, std::chrono::milliseconds{20}};
  policy.memory = &memory;
  policy.terms = terms_from({{"lo", parse_terms("paid:0.01/MB")}});
  {
    StreamingJob run{policy, found.addresses, &loop};
    run.run(session, wiring);
  }
  EXPECT_GT(memory.times_measured, 0);  // at the end
  ASSERT_NE(log.first<event::LinkCostTold>(), nullptr);
  EXPECT_EQ(log.first<event::LinkCostTold>()->kind, CostKind::kPaid);
  EXPECT_EQ(log.first<event::LinkUp>()->remembered_rate, 8_Mbps);
}

TEST_F(StreamingJobTest, IsNotWokenByEachPacketOfMany) {
  FaultyOrigin trickling{[](const std::string& head) {
    FaultyOrigin::Reply reply = range_of(head);
    reply.each = 100us;
    return reply;
  }};
  found.location = transport::parse_url(fmt::format("http://127.0.0.1:{}/index.json", trickling.port()));
  wiring.connections = connections_to(found, loop, {});
  StreamingJob run{policy, found.addresses, &loop};
  run.run(session, wiring);
  EXPECT_EQ(sink.segments, std::vector(3, transport::content({0_B, 1_kB})));
  EXPECT_LT(log.wake_ups.size(), 1000U);  // for more than 3000 packets
}

}  // namespace
}  // namespace tributary
