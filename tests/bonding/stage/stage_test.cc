// What a stage between two ends of TCP does with their packets, and with what of it neither end can see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bonding/stage/inner_stage.hh"
#include "made_segment.hh"

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::MadeSegment;
using testing::packet_of;

constexpr PipeId kNear{0}, kFar{1};
constexpr std::uint32_t kSegment = 1000;

/// A stage with two links, of which the second one takes twice as long.
struct Stage : ::testing::Test {
  void make(InnerStage::Options options, std::optional<Duration> close_within = {}) {
    pipes.emplace(LinkPipes::Options{
        .round_trips = {40ms, 80ms}, .close_within = close_within, .send = [this](PipeId pipe, const Bytes& packet) {
          sent.emplace_back(pipe, TcpPacket::read(packet).value().sequence);
        }});
    stage.emplace(std::move(options), *pipes);
  }
  void make(const char* processor) { make({.connections = {.processor = processor}, .ports = {}}); }

  /// Whether it goes on as if there were no stage.
  bool passes(const MadeSegment& made) {
    const Bytes packet = packet_of(made);
    stage->packet(packet, made.heading, now);
    const std::vector<Bytes> passed = stage->take_passed();
    EXPECT_TRUE(passed.empty() || (passed.size() == 1 && passed[0] == packet)) << "a packet is never changed";
    return !passed.empty();
  }
  void begin(std::uint16_t port = 4000) {
    EXPECT_TRUE(passes({.flags = TcpSegment::kSyn, .sequence = 0, .acknowledgment = 0, .receiver_port = port}));
    EXPECT_TRUE(passes({.heading = Heading::kToSender,
                        .flags = TcpSegment::kSyn | TcpSegment::kAck,
                        .sequence = 0,
                        .receiver_port = port}));
  }
  static MadeSegment data(std::uint32_t number) { return {.sequence = 1 + number * kSegment, .length = kSegment}; }
  static MadeSegment acknowledgment(std::uint32_t segments) {
    return {.heading = Heading::kToSender, .acknowledgment = 1 + segments * kSegment};
  }
  TcpConnection connection() const { return TcpPacket::read(packet_of({})).value().connection(Heading::kToReceiver); }

  TimePoint now = TimePoint{} + 1s;
  std::vector<std::pair<PipeId, std::uint32_t>> sent;
  std::optional<LinkPipes> pipes;
  std::optional<InnerStage> stage;
};

TEST_F(Stage, DataTakePipesInTurnOnceTheConnectionIsConfirmed) {
  make("round-robin");
  EXPECT_TRUE(passes(data(0))) << "nobody has seen this one begin";
  EXPECT_TRUE(passes({.flags = TcpSegment::kSyn, .acknowledgment = 0}));
  EXPECT_TRUE(passes(data(0))) << "acknowledgments may take another way";
  begin();
  EXPECT_FALSE(passes(data(0)));
  EXPECT_FALSE(passes(data(1)));
  EXPECT_FALSE(passes(data(2)));
  EXPECT_THAT(sent, ElementsAre(std::pair{kNear, 1U}, std::pair{kFar, 1001U}, std::pair{kNear, 2001U}));
  EXPECT_TRUE(passes({.sequence = 3001})) << "an acknowledgment of the sender";
}

TEST_F(Stage, AConnectionThatTheReceiverAsksForIsOneAsWell) {
  make("round-robin");
  passes({.heading = Heading::kToSender, .flags = TcpSegment::kSyn, .acknowledgment = 0});
  passes({.heading = Heading::kToSender, .flags = TcpSegment::kSyn | TcpSegment::kAck});
  EXPECT_TRUE(passes(data(0))) << "a confirmation comes from the other end";
  passes({.flags = TcpSegment::kSyn | TcpSegment::kAck, .sequence = 0});
  EXPECT_FALSE(passes(data(0)));
}

TEST_F(Stage, DropsTheDuplicatesThatComeOfThePipesAlone) {
  make("dupack-filter");
  begin();
  for (std::uint32_t i = 0; i < 4; ++i, now += 4ms) EXPECT_FALSE(passes(data(i)));
  now = TimePoint{} + 1040ms;
  EXPECT_TRUE(passes(acknowledgment(1)));
  EXPECT_FALSE(passes(acknowledgment(1))) << "the third segment has overtaken the second";
  EXPECT_TRUE(passes(acknowledgment(1))) << "the one after that has not";
}

TEST_F(Stage, AcknowledgmentsPassAsTheyAreWherePipesAreOnlyTakenInTurn) {
  make("round-robin");
  begin();
  for (std::uint32_t i = 0; i < 4; ++i) passes(data(i));
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(passes(acknowledgment(1)));
}

TEST_F(Stage, PipesAreWithdrawnWhenBothEndsHaveEnded) {
  make("round-robin");
  begin();
  EXPECT_EQ(stage->connections(), 1U);
  EXPECT_FALSE(passes({.flags = TcpSegment::kAck | TcpSegment::kFin, .sequence = 1, .length = kSegment}))
      << "the last data take a pipe";
  EXPECT_EQ(pipes->get_pipe_properties(connection(), kNear).sent, DataSize{1040});
  EXPECT_EQ(stage->connections(), 1U);
  EXPECT_TRUE(
      passes({.heading = Heading::kToSender, .flags = TcpSegment::kAck | TcpSegment::kFin, .acknowledgment = 1002}));
  EXPECT_EQ(stage->connections(), 0U);
  EXPECT_EQ(pipes->get_pipe_properties(connection(), kNear).sent, DataSize{});
  EXPECT_EQ(pipes->get_pipe_properties(std::nullopt, kNear).sent, DataSize{1040}) << "of the pipe as a whole";
  EXPECT_TRUE(passes(data(1)));
}

TEST_F(Stage, AResetEndsAConnectionAtOnce) {
  make("round-robin");
  begin();
  EXPECT_TRUE(passes({.flags = TcpSegment::kRst, .acknowledgment = 0}));
  EXPECT_EQ(stage->connections(), 0U);
}

TEST_F(Stage, OnlyConnectionsThatAreAdmittedAreTouched) {
  make({.connections = {.processor = "round-robin"}, .ports = {4000}});
  begin(4000);
  begin(4001);
  EXPECT_EQ(stage->connections(), 1U);
  EXPECT_FALSE(passes({.length = 1}));
  EXPECT_TRUE(passes({.length = 1, .receiver_port = 4001}));
}

TEST_F(Stage, ConnectionsBeyondTheMostPassAndSilentOnesMakeRoom) {
  make({.connections = {.processor = "round-robin", .most_connections = 1}, .ports = {}});
  begin(4000);
  begin(4001);
  EXPECT_TRUE(passes({.length = 1, .receiver_port = 4001}));
  now += 123min;
  EXPECT_FALSE(passes({.length = 1, .receiver_port = 4000}));
  now += 124min;
  begin(4001);
  EXPECT_FALSE(passes({.length = 1, .receiver_port = 4001}));
}

TEST_F(Stage, ConnectionsThatWereNeverConfirmedMakeRoomSoon) {
  make({.connections = {.processor = "round-robin", .most_connections = 1}, .ports = {}});
  passes({.flags = TcpSegment::kSyn, .acknowledgment = 0});
  now += 4min;
  begin(4001);
  EXPECT_FALSE(passes({.length = 1, .receiver_port = 4001}));
}

TEST_F(Stage, PipesThatAreFarAreNotSelected) {
  make({.connections = {.processor = "round-robin"}, .ports = {}}, 39ms);
  begin();
  passes(data(0));
  passes(data(1));
  EXPECT_THAT(sent, ElementsAre(std::pair{kNear, 1U}, std::pair{kNear, 1001U}));
  EXPECT_THAT(pipes->withdraw_pipes(connection(), std::array{kNear, kFar}), ElementsAre(kNear));
}

TEST_F(Stage, PipesComeAndGoWhileAConnectionLasts) {
  for (const std::string_view processor : processor_names()) {
    sent.clear();
    make(std::string{processor}.c_str());
    begin();
    pipes->set_up(kNear, false);
    stage->pipe_went(kNear);
    passes(data(0));
    passes(data(1));
    pipes->set_up(kFar, false);
    stage->pipe_went(kFar);
    EXPECT_TRUE(passes(data(2))) << "there is none";
    pipes->set_up(kNear, true);
    stage->pipe_came(kNear);
    passes(data(3));
    EXPECT_THAT(sent, ElementsAre(std::pair{kFar, 1U}, std::pair{kFar, 1001U}, std::pair{kNear, 3001U})) << processor;
  }
}

TEST_F(Stage, APipeThatIsNearerThanThoseBeforeTakesTheirPlaceWhereOnlyNearOnesAreSelected) {
  make({.connections = {.processor = "dupack-filter"}, .ports = {}}, 10ms);
  pipes->set_up(kNear, false);
  begin();
  passes(data(0));
  pipes->set_up(kNear, true);
  stage->pipe_came(kNear);
  passes(data(1));
  passes(data(2));
  EXPECT_THAT(sent, ElementsAre(std::pair{kFar, 1U}, std::pair{kNear, 1001U}, std::pair{kNear, 2001U}));
}

TEST_F(Stage, WhatIsNoTcpPasses) {
  make("dupack-filter");
  Bytes packet = packet_of(data(0));
  packet[9] = std::byte{17};
  for (const Bytes& other : {packet, Bytes(3), Bytes{}}) {
    stage->packet(other, Heading::kToReceiver, now);
    EXPECT_THAT(stage->take_passed(), ElementsAre(other));
  }
}

TEST_F(Stage, WhatIsCutOffPassesWhereverItEnds) {
  make("dupack-filter");
  begin();
  const Bytes whole = packet_of(data(0));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes part{whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)};
    stage->packet(part, Heading::kToReceiver, now);
    EXPECT_THAT(stage->take_passed(), ElementsAre(part)) << size;
  }
  EXPECT_THAT(sent, ::testing::IsEmpty());
}

TEST(Processors, OfAnotherNameAreRefused) { EXPECT_THROW(make_processor("none"), std::invalid_argument); }

}  // namespace
}  // namespace tributary::bonding
