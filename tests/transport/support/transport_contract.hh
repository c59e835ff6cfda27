#pragma once

// What every HttpTransport has to keep. Include this in one source of a test executable and plug in
// implementations:
//
//   INSTANTIATE_TEST_SUITE_P(Simulated, TransportContract, testing::Values(ContractCase{"Simulated",
//   make_world}),
//                            contract_case_name);

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "event_log.hh"
#include "transport/http_transport.hh"

namespace tributary::transport {

/// One transport with its surroundings, in real or in virtual time: an origin with one file, reached over one
/// link that works.
class ContractWorld {
 public:
  virtual ~ContractWorld() = default;

  virtual HttpTransport& transport() = 0;
  virtual TimePoint now() = 0;
  /// Lets time go on until something may have happened, at the longest to the transport's next deadline, and
  /// advances the transport.
  virtual void step() = 0;

  virtual std::string target() const = 0;
  virtual DataSize file_size() const = 0;  // at least 2 MB
  /// Nothing if the bytes of this implementation have no meaning.
  virtual std::optional<std::string> content(ByteRange range) const = 0;
  /// Requests end in the order in which they were asked.
  virtual bool answers_in_order() const { return true; }
  /// The target of a file that does not exist; nothing if there cannot be one.
  virtual std::optional<std::string> missing_target() const = 0;
};

struct ContractCase {
  std::string name;
  std::function<std::unique_ptr<ContractWorld>()> make_world;
};

inline std::string contract_case_name(const testing::TestParamInfo<ContractCase>& info) { return info.param.name; }

/// The owner of the transport: asks for ranges, and asks again for what is missing when a connection was
/// lost.
class TransportContract : public testing::TestWithParam<ContractCase> {
 protected:
  using enum FailureReason;

  RequestId ask(ByteRange range) { return ask(range, world_->target()); }
  RequestId ask(ByteRange range, const std::string& target) {
    const RequestId id{++last_id_};
    const bool real_file = target == world_->target();
    const RangeRequest request{id, target, range, real_file ? std::optional{world_->file_size()} : std::nullopt};
    log_.submitted(request);
    ranges_[id] = range;
    world_->transport().submit(request, world_->now());
    return id;
  }

  /// Takes events as they come until the condition holds, calling `on_event` for each.
  void run_until(const std::function<bool()>& condition, const std::function<void(const Event&)>& on_event = {}) {
    constexpr int kPatience = 200'000;  // steps
    for (int step = 0; !condition(); ++step) {
      ASSERT_LT(step, kPatience) << "no end in sight; open requests: " << log_.open_requests();
      while (const auto event = world_->transport().next_event()) {
        log_.add(*event);
        if (const auto* failed = std::get_if<RequestFailed>(&*event)) ask_for_the_rest(*failed);
        if (on_event) on_event(*event);
      }
      if (!condition()) world_->step();
    }
  }
  void run_until_all_ended() {
    run_until([this] { return log_.open_requests() == 0; });
  }

  /// The bytes that all requests together have brought of the range.
  void expect_content(ByteRange whole) {
    std::map<DataSize, std::string> pieces;
    for (const auto& [id, range] : ranges_) {
      if (!log_.bytes(id).empty()) pieces[range.begin] = log_.bytes(id);
    }
    std::string all;
    for (const auto& [begin, bytes] : pieces) {
      ASSERT_EQ(begin.bytes(), (whole.begin + DataSize{static_cast<std::int64_t>(all.size())}).bytes());
      all += bytes;
    }
    ASSERT_EQ(static_cast<std::int64_t>(all.size()), whole.size().bytes());
    EXPECT_TRUE(all == world_->content(whole).value_or(all)) << "wrong bytes";
  }

  static ByteRange range(std::int64_t begin, std::int64_t end) { return {DataSize{begin}, DataSize{end}}; }

  std::unique_ptr<ContractWorld> world_ = GetParam().make_world();
  EventLog log_;

 private:
  void ask_for_the_rest(const RequestFailed& failed) {
    if (failed.reason != kReset && failed.reason != kClosedMidBody) return;
    const DataSize given{static_cast<std::int64_t>(log_.bytes(failed.id).size())};
    const ByteRange asked = ranges_.at(failed.id);
    if (given < asked.size()) ask({asked.begin + given, asked.end});
  }

  std::uint64_t last_id_ = 0;
  std::map<RequestId, ByteRange> ranges_;
};

TEST_P(TransportContract, IsQuietWhileNothingIsAsked) {
  world_->transport().advance(world_->now());
  EXPECT_FALSE(world_->transport().next_event());
  EXPECT_FALSE(world_->transport().next_deadline());
}

TEST_P(TransportContract, GivesExactlyTheRangeAskedFor) {
  ask(range(1000, 101'000));
  run_until_all_ended();
  EXPECT_THAT(log_.failed(), testing::IsEmpty());
  expect_content(range(1000, 101'000));
}

TEST_P(TransportContract, GivesASingleByteAndAWholeFile) {
  ask(range(0, 1));
  run_until_all_ended();
  ask({DataSize{1}, world_->file_size()});
  run_until_all_ended();
  expect_content({DataSize{0}, world_->file_size()});
}

TEST_P(TransportContract, AnswersManyRequestsInTheirOrder) {
  constexpr int kRequests = 40;
  constexpr int kSize = 10'000;
  for (int i = 0; i < kRequests; ++i) ask(range(i * kSize, (i + 1) * kSize));
  run_until_all_ended();
  EXPECT_EQ(log_.done().size(), std::size_t{kRequests});
  EXPECT_TRUE(std::ranges::is_sorted(log_.done()) || !world_->answers_in_order());
  expect_content(range(0, kRequests * kSize));
}

TEST_P(TransportContract, TakesTheNextRequestWhenAResponseBegins) {
  constexpr int kRequests = 30;
  constexpr int kSize = 20'000;
  int asked = 0;
  const auto ask_next = [&] {
    ask(range(asked * kSize, (asked + 1) * kSize));
    ++asked;
  };
  ask_next();
  ask_next();
  run_until([&] { return asked == kRequests && log_.open_requests() == 0; },
            [&](const Event& event) {
              if (std::holds_alternative<ResponseBegan>(event) && asked < kRequests) ask_next();
            });
  expect_content(range(0, kRequests * kSize));
}

TEST_P(TransportContract, KeepsADepthOfFour) {
  constexpr int kRequests = 60;
  constexpr int kSize = 30'000;
  int asked = 0;
  run_until([&] {
    for (; asked < kRequests && log_.open_requests() < 4; ++asked) ask(range(asked * kSize, (asked + 1) * kSize));
    return log_.open_requests() == 0;
  });
  expect_content(range(0, kRequests * kSize));
}

TEST_P(TransportContract, KnowsTheRoundTripAfterAWhile) {
  ask(range(0, 200'000));
  run_until_all_ended();
  ASSERT_TRUE(world_->transport().round_trip());
  EXPECT_GT(world_->transport().round_trip()->least, Duration{0});
}

TEST_P(TransportContract, CloseFailsEachRequestOnceAndLetsANewOneBegin) {
  for (int i = 0; i < 5; ++i) ask(range(i * 1000, (i + 1) * 1000));
  world_->transport().close(kLinkDown, world_->now());
  run_until_all_ended();
  ASSERT_EQ(log_.failed().size(), 5u);
  for (const RequestFailed& failed : log_.failed()) EXPECT_EQ(failed.reason, kLinkDown);

  const RequestId again = ask(range(0, 1000));
  run_until_all_ended();
  EXPECT_THAT(log_.done(), testing::ElementsAre(again));
}

TEST_P(TransportContract, AbandonFailsEachRequestOnceAndLetsANewOneBegin) {
  for (int i = 0; i < 5; ++i) ask(range(i * 1000, (i + 1) * 1000));
  world_->transport().abandon(world_->now());
  run_until_all_ended();
  ASSERT_EQ(log_.failed().size(), 5u);
  for (const RequestFailed& failed : log_.failed()) EXPECT_EQ(failed.reason, kAbandoned);
  world_->transport().abandon(world_->now());
  const RequestId again = ask(range(0, 1000));
  run_until_all_ended();
  EXPECT_THAT(log_.done(), testing::ElementsAre(again));
}

TEST_P(TransportContract, CloseWithinABodyKeepsWhatWasGiven) {
  const RequestId id = ask({DataSize{0}, world_->file_size()});
  run_until([&] { return !log_.bytes(id).empty() || !log_.open(id); });
  if (!log_.open(id)) GTEST_SKIP() << "the whole file came in one step";
  world_->transport().close(kStalled, world_->now());
  run_until_all_ended();
  ASSERT_EQ(log_.failed().size(), 1u);
  EXPECT_EQ(log_.failed()[0].reason, kStalled);
  expect_content(range(0, static_cast<std::int64_t>(log_.bytes(id).size())));
}

TEST_P(TransportContract, AMissingFileFailsAloneBetweenOthers) {
  if (!world_->missing_target()) GTEST_SKIP() << "every file exists here";
  ask(range(0, 1000));
  ask(range(0, 1000), *world_->missing_target());
  const RequestId after = ask(range(1000, 2000));
  run_until_all_ended();
  ASSERT_EQ(log_.failed().size(), 1u);
  EXPECT_EQ(log_.failed()[0].reason, kNotFound);
  EXPECT_EQ(log_.done().back(), after);
}

}  // namespace tributary::transport
