// What others on this machine, and pages of others in a browser, could try with the proxy.
#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "proxy/server/peer_user.hh"
#include "running_server.hh"

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

class ProxySecurityTest : public testing::Test {
 protected:
  ProxySecurityTest() {
    handler_.answer("/film", {.body = "secret film"});
    handler_.answer("/links", {.body = "changed"});
  }

  /// The answer to these bytes, and no request of them reaches the handler.
  Reply refused(const RunningServer& server, const std::string& bytes) {
    RawClient client = server.client();
    client.send(bytes);
    Reply reply = client.reply();
    EXPECT_EQ(client.rest(), "") << "nothing follows a refusal";
    EXPECT_EQ(reply.body, "");
    EXPECT_TRUE(handler_.requests().empty());
    return reply;
  }

  TableHandler handler_;
};

TEST_F(ProxySecurityTest, OtherUsersOfThisMachineDoNotKnowTheToken) {
  const RunningServer server{handler_};
  const std::string behind = " HTTP/1.1\r\nHost: " + server.host() + "\r\n\r\n";
  const Reply nothing = refused(server, "GET /" + behind);
  EXPECT_EQ(nothing.status, 404u);
  for (const std::string& path : {std::string{"/film"}, "/" + std::string(32, '0') + "/film",
                                  server.path("").substr(0, 32) + "/film", server.path("")}) {
    const Reply reply = refused(server, std::string{"GET "}.append(path).append(behind));
    EXPECT_EQ(reply.status, 404u) << path;
    EXPECT_EQ(reply.fields.size(), nothing.fields.size());  // nothing tells one from the other
  }
  EXPECT_EQ(server.ask("GET", "/film").body, "secret film");
}

/// A player of the user nobody, whose socket is open.
std::optional<RawClient> client_of_another_user(const RunningServer& server, const std::string& address) {
  constexpr uid_t kNobody = 65534;
  const auto before = static_cast<uid_t>(::setfsuid(kNobody));
  if (static_cast<uid_t>(::setfsuid(kNobody)) != kNobody) return std::nullopt;
  RawClient client{server.port(), address};
  ::setfsuid(before);
  return client;
}

TEST_F(ProxySecurityTest, OtherUsersWhoHaveSeenTheTokenAreNotLetIn) {
  const RunningServer server{handler_};
  for (const std::string& address : {std::string{"127.0.0.1"}, std::string{"::1"}}) {
    auto other = client_of_another_user(server, address);
    if (!other) GTEST_SKIP() << "only root may be another user";
    other->send(server.request("GET", "/film"));
    const Reply reply = other->reply();
    EXPECT_EQ(reply.status, 403u) << address;
    EXPECT_EQ(reply.body, "");
    EXPECT_TRUE(handler_.requests().empty());
    RawClient own{server.port(), address};
    own.send(server.request("GET", "/film"));
    EXPECT_EQ(own.reply().body, "secret film");
    handler_.forget_requests();
  }
}

TEST_F(ProxySecurityTest, OtherUsersAreLetInWhereTheOwnerWantsIt) {
  const RunningServer server{handler_, {.any_user = true}};
  auto other = client_of_another_user(server, "127.0.0.1");
  if (!other) GTEST_SKIP() << "only root may be another user";
  other->send(server.request("GET", "/film"));
  EXPECT_EQ(other->reply().body, "secret film");
}

TEST_F(ProxySecurityTest, AnEndThatIsClosedIsNobodys) {
  asio::io_context context;
  tcp::acceptor acceptor{context, {asio::ip::address_v4::loopback(), 0}};
  tcp::socket player{context};
  player.connect(acceptor.local_endpoint());
  const tcp::socket accepted = acceptor.accept();
  const auto user = [&] { return user_of_peer(accepted.remote_endpoint(), accepted.local_endpoint()); };
  EXPECT_EQ(user(), ::geteuid());
  player.shutdown(tcp::socket::shutdown_send);
  EXPECT_EQ(user(), ::geteuid());
  player.close();  // the system keeps it for a while, as root's
  EXPECT_EQ(user(), std::nullopt);
}

TEST_F(ProxySecurityTest, OtherMachinesDoNotReachIt) {
  const RunningServer server{handler_};
  // All of 127.0.0.0/8 is this machine, and only a socket on all addresses would answer there.
  EXPECT_THROW((RawClient{server.port(), "127.0.0.2"}), std::runtime_error);
}

TEST_F(ProxySecurityTest, ANameOfOthersThatLeadsHereIsNotAnswered) {
  const RunningServer server{handler_};
  for (const std::string& host : {std::string{"rebound.example"}, "rebound.example:" + std::to_string(server.port()),
                                  std::string{"127.0.0.1"}, std::string{"localhost:80"}}) {
    EXPECT_EQ(refused(server, "GET " + server.path("/film") + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status, 421u);
  }
  EXPECT_EQ(refused(server, "GET " + server.path("/film") + " HTTP/1.1\r\n\r\n").status, 400u);
  EXPECT_EQ(refused(server, "GET " + server.path("/film") + " HTTP/1.0\r\n\r\n").status, 400u);
}

TEST_F(ProxySecurityTest, PagesOfOthersReadAndChangeNothing) {
  const RunningServer server{handler_};
  const Reply read = refused(server, server.request("GET", "/film", "Origin: https://evil.example\r\n"));
  EXPECT_EQ(read.status, 403u);
  EXPECT_EQ(read.field("Access-Control-Allow-Origin"), "-");
  EXPECT_EQ(refused(server, server.request("GET", "/film", "Origin: null\r\n")).status, 403u);
  const Reply preflight =
      refused(server, server.request("OPTIONS", "/links",
                                     "Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n"
                                     "Access-Control-Request-Private-Network: true\r\n"));
  EXPECT_EQ(preflight.status, 403u);
  EXPECT_EQ(preflight.field("Access-Control-Allow-Private-Network"), "-");

  const std::string own = "Origin: http://" + server.host() + "\r\n";
  for (const std::string& fields :
       {std::string{}, std::string{"Origin: null\r\n"}, std::string{"Origin: https://evil.example\r\n"},
        own + "Sec-Fetch-Site: cross-site\r\n", own + "Sec-Fetch-Site: same-site\r\n",
        own + "Origin: https://evil.example\r\n"}) {
    const Reply reply = refused(server, server.request("POST", "/links", fields + "Content-Length: 2\r\n") + "{}");
    EXPECT_GE(reply.status, 400u) << fields;
  }
  EXPECT_EQ(server.ask("POST", "/links", own + "Sec-Fetch-Site: same-origin\r\nContent-Length: 0\r\n").body, "changed");
}

TEST_F(ProxySecurityTest, NoAddressIsSmuggled) {
  const RunningServer server{handler_};
  for (const char* target : {"/../film", "/%2e%2e/film", "/a%2f..%2ffilm", "/a%5cfilm", "/a\\film", "/film%00.m4s",
                             "/film%0d%0aHost:x", "/\xc3\xa9", "/film#a"}) {
    EXPECT_EQ(refused(server, server.request("GET", target)).status, 400u) << target;
  }
  const std::string behind = " HTTP/1.1\r\nHost: " + server.host() + "\r\n\r\n";
  EXPECT_EQ(refused(server, "GET http://10.0.0.1" + server.path("/film") + behind).status, 400u);
  EXPECT_EQ(refused(server, "GET http://" + server.host() + server.path("/film") + behind).status, 400u);
  EXPECT_EQ(refused(server, "CONNECT 10.0.0.1:443" + behind).status, 405u);
  EXPECT_EQ(refused(server, "TRACE " + server.path("/film") + behind).status, 405u);
  EXPECT_EQ(refused(server, "OPTIONS *" + behind).status, 400u);
}

TEST_F(ProxySecurityTest, NoFieldIsInjectedIntoAnAnswer) {
  handler_.answer("/origin", {.fields = {{"Content-Type", "video/mp4\r\nSet-Cookie: a=b"},
                                         {"X-Split\r\n\r\n<script>", "a"},
                                         {"Content-Length", "1000"},
                                         {"Transfer-Encoding", "chunked"},
                                         {"Access-Control-Allow-Origin", "*"},
                                         {"X-Right", "b"}},
                              .body = "text"});
  const auto file = complete_file("text");
  handler_.answer("/file", {.body = FileBody{.file = file, .content_type = "a\r\nSet-Cookie: a=b"}});
  const RunningServer server{handler_};
  const Reply reply = server.ask("GET", "/origin");
  EXPECT_EQ(reply.body, "text");
  EXPECT_EQ(reply.field("X-Right"), "b");
  for (const char* name : {"Set-Cookie", "Content-Type", "Transfer-Encoding", "Access-Control-Allow-Origin"}) {
    EXPECT_EQ(reply.field(name), "-") << name;
  }
  EXPECT_EQ(count_fields(reply.fields, "Content-Length"), 1);
  EXPECT_EQ(server.ask("GET", "/file").field("Set-Cookie"), "-");
}

TEST_F(ProxySecurityTest, NoRequestIsHiddenInAnother) {
  const RunningServer server{handler_};
  const std::string own = "Origin: http://" + server.host() + "\r\n";
  const std::string hidden = server.request("GET", "/film");
  const std::string length = "Content-Length: " + std::to_string(hidden.size()) + "\r\n";
  for (const std::string& fields :
       {length + "Content-Length: 0\r\n", "Content-Length: 0\r\n" + length, length + "Transfer-Encoding: chunked\r\n",
        std::string{"Transfer-Encoding: chunked\r\n"}, std::string{"Transfer-Encoding: identity\r\n"},
        std::string{"Content-Length: 0x2\r\n"}, std::string{"Content-Length: 0, 0\r\n"},
        std::string{"Content-Length : 0\r\n"}, std::string{"X: a\r\n Content-Length: 0\r\n"},
        std::string{"X: a\nContent-Length: 0\r\n"}, std::string{"X: a\rContent-Length: 0\r\n"},
        std::string{"X: a\0b\r\n", 8}, std::string{"Host: other\r\n"}}) {
    for (const char* method : {"GET", "POST"}) {
      const Reply reply =
          refused(server, server.request(method, "/links", std::string{own}.append(fields)).append(hidden));
      EXPECT_GE(reply.status, 400u) << method << " " << fields;
    }
  }
  // With a clear length it is a body and nothing else.
  RawClient client = server.client();
  client.send(server.request("POST", "/links", own + length + "Connection: close\r\n") + hidden);
  EXPECT_EQ(client.reply().body, "changed");
  EXPECT_EQ(client.rest(), "");
  EXPECT_EQ(handler_.requests().size(), 1u);
}

TEST_F(ProxySecurityTest, SlowSendersAreGivenUp) {
  ServerOptions options;
  options.limits.head = 300ms;
  options.limits.idle = 600ms;
  const RunningServer server{handler_, options};
  RawClient slow = server.client();
  const std::string request = server.request("GET", "/film");
  const Clock::time_point begun = Clock::now();
  std::size_t sent = 0;
  while (sent + 1 < request.size() && slow.send(request.substr(sent, 1)) && Clock::now() - begun < 10s) {
    ++sent;
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_LT(sent, 60u);
  RawClient half = server.client();
  half.send(server.request("POST", "/links", "Origin: http://" + server.host() + "\r\nContent-Length: 5\r\n") + "ab");
  EXPECT_EQ(half.reply().status, 408u);
  RawClient idle = server.client();
  EXPECT_TRUE(idle.is_closed_within(10s));
  RawClient idle_later = server.client();
  idle_later.send(request);
  EXPECT_EQ(idle_later.reply().body, "secret film");
  EXPECT_TRUE(idle_later.is_closed_within(10s));
}

/// Room for two thousand open files, where the system allows it.
class ManyFiles {
 public:
  ManyFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit more = before_;
    more.rlim_cur = std::min<rlim_t>(before_.rlim_max, 4'096);
    ::setrlimit(RLIMIT_NOFILE, &more);
    is_enough_ = more.rlim_cur >= 2'000;
  }
  ManyFiles(const ManyFiles&) = delete;
  ManyFiles& operator=(const ManyFiles&) = delete;
  ~ManyFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }

  bool is_enough() const { return is_enough_; }

 private:
  rlimit before_{};
  bool is_enough_ = false;
};

TEST_F(ProxySecurityTest, AThousandConnectionsAreNotKept) {
  const ManyFiles files;
  if (!files.is_enough()) GTEST_SKIP() << "no 2000 files may be open here";
  const RunningServer server{handler_};
  std::vector<RawClient> clients;
  for (int i = 0; i < 1'000; ++i) {
    clients.push_back(server.client());
    clients.back().send(server.request("GET", "/film"));
  }
  int kept = 0;
  for (RawClient& client : clients) {
    try {
      if (client.reply().status == 200) ++kept;
    } catch (const std::runtime_error&) {
      ADD_FAILURE() << "a connection without an answer or an end";
    }
  }
  EXPECT_EQ(kept, 512);
  EXPECT_EQ(server.ask("GET", "/film").status, 503u) << "a place that was taken from somebody with the token";
  clients.clear();
  EXPECT_TRUE(holds_soon([&] { return server.ask("GET", "/film").status == 200; }));
}

TEST_F(ProxySecurityTest, AThousandConnectionsWithoutTheTokenKeepNobodyOut) {
  const ManyFiles files;
  if (!files.is_enough()) GTEST_SKIP() << "no 2000 files may be open here";
  const RunningServer server{handler_};
  RawClient early = server.client();
  early.send(server.request("GET", "/film"));
  EXPECT_EQ(early.reply().status, 200u);
  std::vector<RawClient> strangers;
  for (int i = 0; i < 1'000; ++i) {
    strangers.push_back(server.client());
    if (i % 3 == 1) strangers.back().send("GET /");  // a request that does not end
    if (i % 3 == 2) strangers.back().send("GET /film HTTP/1.1\r\nHost: " + server.host() + "\r\n\r\n");
  }
  for (int i = 0; i < 600; ++i) EXPECT_EQ(server.ask("GET", "/film").status, 200u) << i;
  early.send(server.request("GET", "/film"));
  EXPECT_EQ(early.reply().status, 200u) << "the oldest connection of all, but not of a stranger";
}

TEST_F(ProxySecurityTest, HugeRequestsAreNotRead) {
  const RunningServer server{handler_};
  EXPECT_EQ(refused(server, server.request("GET", "/" + std::string(9'000, 'a'))).status, 414u);
  EXPECT_EQ(refused(server, server.request("GET", "/film", "X: " + std::string(20'000, 'a') + "\r\n")).status, 431u);
  std::string many;
  for (int i = 0; i < 3'000; ++i) many += "X: a\r\n";
  EXPECT_EQ(refused(server, server.request("GET", "/film", many)).status, 431u);
  const std::string own = "Origin: http://" + server.host() + "\r\n";
  EXPECT_EQ(refused(server, server.request("POST", "/links", own + "Content-Length: 100000000000\r\n")).status, 413u);

  RawClient endless = server.client();  // is cut off long before it has sent all of that
  std::size_t sent = 0;
  while (sent < 100'000'000 && endless.send(std::string(100'000, 'a'))) sent += 100'000;
  EXPECT_LT(sent, 100'000'000u);
  EXPECT_TRUE(handler_.requests().empty());
}

TEST_F(ProxySecurityTest, RequestsThatNobodyWaitsForAreNotCollected) {
  const auto file = std::make_shared<IncomingFile>();  // never comes
  handler_.answer("/never", {.body = FileBody{.file = file, .content_type = {}}});
  const RunningServer server{handler_};
  RawClient client = server.client();
  timeval patience{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(client.fd(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  std::size_t sent = 0;
  const std::string request = server.request("GET", "/never");
  std::string batch;
  for (int i = 0; i < 1'000; ++i) batch += request;
  while (sent < 100'000'000 && client.send(batch)) sent += batch.size();
  EXPECT_LT(sent, 100'000'000u);  // what the kernel holds, and two requests
  EXPECT_EQ(handler_.requests().size(), 1u);
}

}  // namespace
}  // namespace tributary::proxy
