#include "lend/turns.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tributary::lending {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using ::testing::ElementsAre;

class TurnsTest : public ::testing::Test {
 protected:
  void begin(const std::string& name, Duration at_most = 1h) {
    asio::co_spawn(context_, wait(name, at_most), asio::detached);
    work();
  }
  void end_first() {
    running_.erase(running_.begin());
    work();
  }

  void work() {
    context_.restart();
    context_.poll();
  }

  asio::io_context context_;
  Turns turns_{context_.get_executor(), 2};
  std::vector<std::string> begun_, late_;
  std::vector<Turns::Turn> running_;

 private:
  asio::awaitable<void> wait(std::string name, Duration at_most) {
    Turns::Turn turn = co_await turns_.begin(at_most);
    (turn ? begun_ : late_).push_back(name);
    if (turn) running_.push_back(std::move(turn));
  }
};

TEST_F(TurnsTest, TheOthersWaitInTheirOrder) {
  for (const char* name : {"a", "b", "c", "d"}) begin(name);
  EXPECT_THAT(begun_, ElementsAre("a", "b"));
  end_first();
  EXPECT_THAT(begun_, ElementsAre("a", "b", "c"));
  EXPECT_FALSE(turns_.try_begin());
  end_first();
  EXPECT_THAT(begun_, ElementsAre("a", "b", "c", "d"));
  end_first();
  EXPECT_TRUE(turns_.try_begin());
}

TEST_F(TurnsTest, WhoHasWaitedLongEnoughTakesNone) {
  for (const char* name : {"a", "b"}) begin(name);
  begin("c", 0s);
  begin("d");
  while (late_.empty()) work();
  EXPECT_THAT(late_, ElementsAre("c"));
  end_first();
  EXPECT_THAT(begun_, ElementsAre("a", "b", "d"));
}

TEST_F(TurnsTest, OneMayEndLater) {
  std::optional<Turns> gone{std::in_place, context_.get_executor(), 1};
  Turns::Turn turn = gone->try_begin();
  bool has_begun = false;
  asio::co_spawn(
      context_, [&]() -> asio::awaitable<void> { has_begun = (co_await gone->begin(1h)) != nullptr; }, asio::detached);
  work();
  gone.reset();
  EXPECT_FALSE(has_begun);
  turn.reset();
  work();
  EXPECT_TRUE(has_begun);
}

}  // namespace
}  // namespace tributary::lending
