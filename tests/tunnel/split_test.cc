#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "system/connection_shares.hh"
#include "system/descriptor_limit.hh"
#include "system/event_loop.hh"
#include "tunnel/machine/relay_address.hh"
#include "tunnel/machine/split/tcp_listener.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

TEST(ConnectionShares, OneClientLeavesMostToTheOthersAndEachGetsSome) {
  constexpr std::size_t kFiles = 1'024, kMost = kFiles - ConnectionShares::kReserved;
  const ConnectionShares shares{kFiles};
  std::size_t all = 0, first = 0;
  for (int client = 0; client < 8; ++client) {
    std::size_t own = 0;
    for (; shares.allow(own, all); ++all) ++own;
    EXPECT_GE(own, 20U) << client;
    if (client == 0) first = own;
  }
  EXPECT_NEAR(static_cast<double>(first), kMost / 5.0, 2);
  EXPECT_LT(all, kMost);
  EXPECT_FALSE(ConnectionShares{10}.allow(0, 0));
}

/// Leaves the process no file to open, until it ends.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoMoreFiles(const NoMoreFiles&) = delete;
  NoMoreFiles& operator=(const NoMoreFiles&) = delete;

 private:
  rlimit before_{};
};

TEST(TcpListener, RestsWhileThereAreNoFilesAndTakesThoseThatWaited) {
  EventLoop loop;
  std::vector<TcpSocket> taken, peers;
  bonding::PeerAddress at = addresses_of({.host = "127.0.0.1", .port = 0}).at(0);
  TcpListener listener{at, loop, [&](TcpSocket socket, TimePoint) {
                         taken.push_back(std::move(socket));
                         if (taken.size() == 2) loop.stop();
                       }};
  at.port = listener.port();
  peers.push_back(*TcpSocket::connecting_to(at, {}));
  std::optional<NoMoreFiles> none;
  int wake_ups = 0;
  loop.run([&](TimePoint now) {
    const auto rests_until = listener.work(now);
    if (taken.size() == 1 && peers.size() == 1) {
      peers.push_back(*TcpSocket::connecting_to(at, {}));
      none.emplace();
    }
    // The second connection wakes the loop, and nothing else does before the rest is over.
    if (rests_until && ++wake_ups == 2) none.reset();
    return rests_until;
  });
  EXPECT_EQ(taken.size(), 2U);
  EXPECT_LE(wake_ups, 3);
}

TEST(DescriptorLimit, IsAllThatTheProcessMayHave) {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit less = before;
  less.rlim_cur = 200;
  ::setrlimit(RLIMIT_NOFILE, &less);
  EXPECT_GE(raise_descriptor_limit(), std::min<rlim_t>(before.rlim_max, 262'144));
  ::setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace tributary
