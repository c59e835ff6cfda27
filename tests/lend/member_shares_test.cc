#include "lend/member_shares.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <optional>
#include <string>

namespace tributary::lending {
namespace {

namespace asio = boost::asio;

constexpr std::int64_t kCap = 2'500'000;
constexpr std::size_t kMuch = 1'000'000;

struct Borrowing final : LentConnection {
  bool has_brought() override { return true; }
  void expect_at_most(DataRate /*rate*/) override {}
  void end() override {}
};

class MemberSharesTest : public ::testing::Test {
 protected:
  MemberSharesTest() { share_->add(borrowing_); }
  ~MemberSharesTest() override {
    share_->remove(borrowing_);
    share_.reset();
    std::filesystem::remove_all(folder_);
  }

  /// What the member gets when it wants much, after as many ticks as that takes.
  std::size_t take() {
    std::optional<std::size_t> taken;
    asio::co_spawn(
        context_, [&]() -> asio::awaitable<void> { taken = co_await share_->take(kMuch); }, asio::detached);
    while (!taken) {
      tick(MemberShares::kTick);
      context_.restart();
      context_.poll();
    }
    return *taken;
  }
  void tick(Duration later) {
    now_ += later;
    shares_.tick([] { return std::nullopt; }, now_);
  }
  std::size_t take_all() {
    std::size_t all = 0;
    while (const std::size_t some = take()) all += some;
    return all;
  }

  const std::filesystem::path folder_ =
      std::filesystem::path{::testing::TempDir()} / fmt::format("member-shares-{}", ::getpid());
  TimePoint now_{};
  std::string today_ = "2026-11-29";
  asio::io_context context_;
  DailyUse use_{folder_.string(),
                {.all = DataSize{kCap}, .member = {}},
                [](const std::string& text) { FAIL() << text; },
                {.today = [this] { return today_; }, .now = [] { return TimePoint{}; }}};
  MemberShares shares_{context_.get_executor(), {}, use_};
  std::shared_ptr<MemberShare> share_ = shares_.of({.name = "anna"});
  Borrowing borrowing_;
};

TEST_F(MemberSharesTest, ACapHoldsToTheByte) {
  EXPECT_EQ(take_all(), static_cast<std::size_t>(kCap));
  EXPECT_EQ(share_->left_today(), DataSize{});
}

TEST_F(MemberSharesTest, OnEachDayThoughBytesWereTakenAheadBeforeMidnight) {
  EXPECT_GT(take(), 0u);
  today_ = "2026-11-30";
  EXPECT_EQ(share_->left_today(), DataSize{kCap});
  EXPECT_EQ(take_all(), static_cast<std::size_t>(kCap));
}

TEST_F(MemberSharesTest, NoByteOfYesterdayIsGivenBackToToday) {
  EXPECT_GT(take(), 0u);
  today_ = "2026-11-30";
  EXPECT_EQ(use_.take("bert", DataSize{kCap}).size, DataSize{kCap});
  shares_.settle();
  EXPECT_EQ(use_.left("bert"), DataSize{});
}

TEST_F(MemberSharesTest, TicksThatAreLateTakeNothingOfTheRate) {
  MemberShares limited{context_.get_executor(), {.rate = DataRate::bits_per_second(8e5), .member_rate = {}}, use_};
  const auto share = limited.of({.name = "cleo"});
  share->add(borrowing_);
  std::size_t all = 0;
  asio::co_spawn(
      context_,
      [&]() -> asio::awaitable<void> {
        while (const std::size_t some = co_await share->take(kMuch)) all += some;
      },
      asio::detached);
  for (int i = 1; i <= 10; ++i) {
    limited.tick([] { return std::nullopt; }, TimePoint{i * std::chrono::milliseconds{50}});
    context_.restart();
    context_.poll();
  }
  EXPECT_GE(all, 45'000u);
  EXPECT_LE(all, 45'500u);
  share->remove(borrowing_);
  share->end();
  context_.restart();
  context_.poll();
}

}  // namespace
}  // namespace tributary::lending
