#include <gtest/gtest.h>

#include "core/run.hh"
#include "report/miss_explanation.hh"
#include "report/session_record.hh"
#include "support/sweep.hh"
#include "support/tables.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

using namespace literals;

/// Compares, at each miss, what a record of everything says of it with what a bounded one says.
class Explainer : public SessionObserver {
 public:
  explicit Explainer(const Session& session) : session_{session} {}

  void on_event(const Event& event, TimePoint at) override {
    all.on_event(event, at);
    some.on_event(event, at);
  }
  void on_action(const Action& action, TimePoint at) override {
    all.on_action(action, at);
    some.on_action(action, at);
    most_requests = std::max(most_requests, some.requests().size());
    most_segments = std::max(most_segments, some.segments().size());
    const auto* played = std::get_if<action::PlaySegment>(&action);
    if (played == nullptr || played->miss <= Duration{}) return;
    ++misses;
    const auto expected = explain_miss(all, session_.options(), played->segment);
    const auto explained = explain_miss(some, session_.options(), played->segment);
    ASSERT_TRUE(expected && explained);
    EXPECT_EQ(explained->text, expected->text);
  }

 private:
  const Session& session_;

 public:
  SessionRecord all{session_.table()}, some{session_.table(), 20};
  std::size_t most_requests = 0, most_segments = 0, misses = 0;
};

TEST(BoundedRecord, ExplainsMissesAsOneOfEverythingDoes) {
  SessionOptions options;
  options.subsegments = SubsegmentApproach::kDynamic;  // misses more than balanced ones
  options.buffer_segments = 3;
  options.startup_segments = 1;
  Session session{testing::constant_table(300, {250_kB, 500_kB, 900_kB}), options};
  SimulatedWorld world{session.table(),
                       parse_scenario("a 1.5Mbps 30ms, down 100s..112s; b 1Mbps 60ms, down 400s..420s"), 1, 0};
  Explainer explainer{session};
  SessionObserver* const observers[] = {&explainer};
  run(session, world, observers);
  EXPECT_TRUE(explainer.all.complete());
  EXPECT_GT(explainer.misses, 1U);
  EXPECT_LE(explainer.most_segments, 25U);
  EXPECT_LT(explainer.most_requests, explainer.all.requests().size() / 5);
}

/// Chunks come in any order; what is kept does not grow with the file, and of links nothing is forgotten.
TEST(BoundedRecord, DoesNotGrowWithADownload) {
  SessionOptions options;
  options.mode = StreamingMode::kDownload;
  options.buffer_segments = 8;
  const auto most_requests = [&](std::uint32_t chunks) {
    Session session{testing::constant_table(chunks, {200_kB}), options};
    SimulatedWorld world{session.table(), parse_scenario("a 20Mbps 20ms; b 2Mbps 100ms, down 5s..9s"), 1, 0};
    Explainer explainer{session};
    SessionObserver* const observers[] = {&explainer};
    run(session, world, observers);
    EXPECT_TRUE(explainer.some.complete());
    for (const auto& [id, link] : explainer.all.links()) {
      EXPECT_EQ(explainer.some.links().at(id).received, link.received);
      EXPECT_EQ(explainer.some.links().at(id).requests, link.requests);
    }
    EXPECT_GE(explainer.all.requests().size(), chunks);
    return explainer.most_requests;
  };
  EXPECT_LT(most_requests(static_cast<std::uint32_t>(testing::of_sweep(600, 1500))), 300U);
}

}  // namespace
}  // namespace tributary
