// The real transport: bound to a link, over TLS, in both families, and with origins that misbehave.
#include "transport/link_transport.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "link_world.hh"
#include "loopback_socket.hh"
#include "nginx_server.hh"
#include "server_process.hh"
#include "test_certificates.hh"
#include "transport/documents/document_fetch.hh"

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Then = FaultyOrigin::Reply::Then;

const ByteRange kRange{DataSize{0}, DataSize{100}};
const auto kGood = testing::ElementsAre("began 1", "bytes 1: 100", "done 1");

std::string failure_of(const EventLog& log) {
  return log.failed().empty() ? "" : std::string{to_string(log.failed().front().reason)};
}

std::string url_of(const FaultyOrigin& origin) { return fmt::format("http://127.0.0.1:{}/x", origin.port()); }

PipelinedTransport::Options impatient() {
  PipelinedTransport::Options options;
  options.progress = {.minimum = 200ms, .round_trips = 8, .cold_allowance = 0ms};
  return options;
}

TEST(LinkTransport, AnUnknownInterfaceFailsWithItsName) {
  const NginxServer nginx{{}};
  LinkWorld world{fmt::format("http://127.0.0.1:{}/x", nginx.port()), {.link = "nosuchlink0", .ca_file = {}}};
  const EventLog log = world.fetch(kRange);
  EXPECT_EQ(failure_of(log), "interface");
  EXPECT_THAT(log.failed().at(0).detail, HasSubstr("nosuchlink0"));
}

/// The failure of a range that needs a cookie (empty: none), before and after a document of the same origin has set it.
std::pair<std::string, std::string> with_cookie(NginxServer::Options options, const std::string& scheme,
                                                const LinkRules& rules) {
  options.directives += fmt::format(
      "location = /film.mpd {{ add_header Set-Cookie {0}=abc; return 200 mpd; }} "
      "location = /1.m4s {{ if ($cookie_{0} != abc) {{ return 403; }} }}",
      scheme);
  const NginxServer nginx{options};
  nginx.put("1.m4s", std::string(1000, 'x'));
  const std::string origin = fmt::format("{}://localhost:{}", scheme, nginx.port());
  const auto asked = [&] { return failure_of(LinkWorld{origin + "/1.m4s", rules}.fetch(kRange)); };
  const std::string before = asked();
  fetch_document(origin + "/film.mpd", rules);
  return {before, asked()};
}

TEST(LinkTransport, RangesComeWithTheCookiesThatADocumentHasSet) {
  EXPECT_EQ(with_cookie({}, "http", {.link = "lo"}), std::pair("unauthorized"s, ""s));
}

TEST(LinkTransport, CookiesGoByHttp2AsWell) {
  const TestCertificates certificates;
  const std::string directives =
      fmt::format("ssl_certificate {}; ssl_certificate_key {}; ", certificates.server(), certificates.server_key());
  EXPECT_EQ(with_cookie({.directives = directives, .tls = true, .http2 = true}, "https",
                        {.link = "lo", .ca_file = certificates.authority(), .http = HttpVersion::kHttp2}),
            std::pair("unauthorized"s, ""s));
}

/// Exits with 0 if an ordinary user gets the range over the loopback interface.
[[noreturn]] void fetch_as_nobody(std::uint16_t port) {
  constexpr uid_t kNobody = 65534;
  if (getuid() == 0 && setuid(kNobody) != 0) _exit(2);
  LinkWorld world{fmt::format("http://127.0.0.1:{}/x", port), {.link = "lo", .ca_file = {}}};
  _exit(world.fetch(kRange).done().size() == 1 ? 0 : 1);
}

TEST(LinkTransport, BindingToALinkNeedsNoPrivileges) {
  const NginxServer nginx{{}};
  nginx.put("x", content(kRange));
  EXPECT_EXIT(fetch_as_nobody(nginx.port()), testing::ExitedWithCode(0), "");
}

TEST(LinkTransport, NobodyListening) {
  LinkWorld world{fmt::format("http://127.0.0.1:{}/x", free_port("127.0.0.1")), LinkRules{}};
  const EventLog log = world.fetch(kRange);
  EXPECT_EQ(failure_of(log), "refused");
  EXPECT_THAT(log.failed().at(0).detail, HasSubstr("connect to http://127.0.0.1:"));
}

TEST(LinkTransport, Ipv6) {
  const NginxServer nginx{{.address = "[::1]", .directives = {}}};
  nginx.put("x", content(kRange));
  LinkWorld world{fmt::format("http://[::1]:{}/x", nginx.port()), {.link = "lo", .ca_file = {}}};
  EXPECT_THAT(world.fetch(kRange).lines(), kGood);
}

TEST(LinkTransport, TriesTheAddressesOfBothFamilies) {
  const NginxServer nginx{{}};
  nginx.put("x", content(kRange));
  const std::string url = fmt::format("http://localhost:{}/x", nginx.port());
  LinkWorld world{url, {"::1", "127.0.0.1"}, LinkRules{}};
  EXPECT_THAT(world.fetch(kRange).lines(), kGood);
}

class TlsTransport : public testing::Test {
 protected:
  EventLog fetch(const std::string& host, const std::string& ca_file) {
    const std::string url = fmt::format("https://{}:{}/x", host, nginx_.port());
    return LinkWorld{url, {"127.0.0.1"}, {.link = "lo", .ca_file = ca_file}}.fetch(kRange);
  }

  TestCertificates certificates_;
  NginxServer nginx_{{.directives = fmt::format("ssl_certificate {}; ssl_certificate_key {};", certificates_.server(),
                                                certificates_.server_key()),
                      .tls = true}};
};

TEST_F(TlsTransport, TrustsTheAuthorityItWasGiven) {
  nginx_.put("x", content(kRange));
  EXPECT_THAT(fetch("localhost", certificates_.authority()).lines(), kGood);
}

TEST_F(TlsTransport, RefusesAnotherAuthority) {
  EXPECT_EQ(failure_of(fetch("localhost", certificates_.other_authority())), "tls-verification");
  EXPECT_EQ(failure_of(fetch("localhost", "")), "tls-verification");
}

TEST_F(TlsTransport, RefusesACertificateOfAnotherHost) {
  EXPECT_EQ(failure_of(fetch("origin.example", certificates_.authority())), "tls-verification");
}

TEST_F(TlsTransport, SaysWhatIsWrongWithACertificateAndWhatToDo) {
  const struct {
    std::string certificate;
    std::vector<std::string> words;
  } cases[]{
      {certificates_.expired(),
       {"certificate has expired", "valid until 2020-02-01T00:00:00.000Z", "this machine's clock says 20"}},
      {certificates_.not_yet_valid(), {"not yet valid", "valid from 2099-01-01T00:00:00.000Z on", "set the clock"}},
      {certificates_.self_signed(), {"nobody but localhost itself", "--cacert"}},
  };
  for (const auto& [certificate, words] : cases) {
    const NginxServer nginx{{.directives = fmt::format("ssl_certificate {}; ssl_certificate_key {};", certificate,
                                                       certificates_.server_key()),
                             .tls = true}};
    const std::string origin = fmt::format("https://localhost:{}", nginx.port());
    const LinkRules rules{.link = "lo", .ca_file = certificates_.authority()};
    const EventLog log = LinkWorld{origin + "/x", {"127.0.0.1"}, rules}.fetch(kRange);
    EXPECT_EQ(failure_of(log), "tls-verification");
    EXPECT_THAT(log.failed().at(0).detail, HasSubstr("connect to " + origin + " over lo: "));
    for (const std::string& word : words) EXPECT_THAT(log.failed().at(0).detail, HasSubstr(word));
    try {
      fetch_document(origin + "/x", rules);
      ADD_FAILURE() << "it was fetched";
    } catch (const FetchError& error) {
      for (const std::string& word : words) EXPECT_THAT(error.what(), HasSubstr(word));
    }
  }
  const EventLog other_host = fetch("origin.example", certificates_.authority());
  EXPECT_THAT(other_host.failed().at(0).detail, HasSubstr("the certificate is for localhost"));
  const EventLog other_issuer = fetch("localhost", certificates_.other_authority());
  EXPECT_THAT(other_issuer.failed().at(0).detail, HasSubstr("issued by authority, which is not trusted here"));
}

TEST_F(TlsTransport, SaysThatTheHandshakeFailedAndNotTheCertificate) {
  const ServerProcess old{"127.0.0.1", [&](std::uint16_t port) {
                            return std::vector<std::string>{"openssl",
                                                            "s_server",
                                                            "-WWW",
                                                            "-quiet",
                                                            "-accept",
                                                            fmt::format("127.0.0.1:{}", port),
                                                            "-tls1",
                                                            "-cert",
                                                            certificates_.server(),
                                                            "-key",
                                                            certificates_.server_key(),
                                                            "-cipher",
                                                            "ALL:@SECLEVEL=0"};
                          }};
  const ServerProcess closed{"127.0.0.1", [&](std::uint16_t port) {
                               return std::vector<std::string>{"openssl",
                                                               "s_server",
                                                               "-WWW",
                                                               "-quiet",
                                                               "-accept",
                                                               fmt::format("127.0.0.1:{}", port),
                                                               "-tls1_2",
                                                               "-cert",
                                                               certificates_.server(),
                                                               "-key",
                                                               certificates_.server_key(),
                                                               "-cipher",
                                                               "NULL:@SECLEVEL=0"};
                             }};
  const NginxServer plain{{}};
  const std::pair<std::uint16_t, const char*> cases[]{{old.port(), "only versions of TLS before 1.2"},
                                                      {closed.port(), "no way of encryption in common"},
                                                      {plain.port(), "is not TLS"}};
  for (const auto& [port, words] : cases) {
    const std::string url = fmt::format("https://localhost:{}/x", port);
    const LinkRules rules{.link = "lo", .ca_file = certificates_.authority()};
    const EventLog log = LinkWorld{url, {"127.0.0.1"}, rules}.fetch(kRange);
    EXPECT_EQ(failure_of(log), "tls");
    EXPECT_THAT(log.failed().at(0).detail, AllOf(HasSubstr(words), Not(HasSubstr("certificate"))));
    try {
      fetch_document(url, rules);
      ADD_FAILURE() << "it was fetched";
    } catch (const FetchError& error) {
      EXPECT_EQ(error.reason, FailureReason::kTls);
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  }
}

TEST_F(TlsTransport, RefusesPlainHttp) {
  const FaultyOrigin plain{[](const std::string&) { return FaultyOrigin::Reply{}; }};
  // The server does not understand the handshake and waits for the end of a head: give it one that is none.
  const FaultyOrigin talkative{[](const std::string&) { return FaultyOrigin::Reply{"HTTP/1.1 400 Bad\r\n\r\n"}; }};
  LinkRules rules;
  rules.connect_timeout = 300ms;
  LinkWorld world{fmt::format("https://127.0.0.1:{}/x", plain.port()), rules};
  EXPECT_EQ(failure_of(world.fetch(kRange)), "connect-timeout");
}

TEST_F(TlsTransport, AHandshakeThatTakesLongIsNoLackOfAnAnswer) {
  const FileDescriptor silent = listen_on_loopback();  // the system accepts connections, and nobody speaks
  LinkRules rules;
  rules.connect_timeout = 600ms;
  PipelinedTransport::Options options;
  options.progress.connecting = 100ms;
  const EventLog log = LinkWorld{fmt::format("https://127.0.0.1:{}/x", port_of(silent)), rules, options}.fetch(kRange);
  EXPECT_EQ(failure_of(log), "connect-timeout");
  EXPECT_THAT(log.failed().at(0).detail, Not(HasSubstr("while connecting")));
}

TEST(FaultyOrigins, FailAsTheyDeserve) {
  const std::string good = partial_content(0, 100);
  const struct {
    const char* what;
    FaultyOrigin::Reply reply;
    const char* reason;
  } cases[] = {
      {"range ignored", {response("200 OK", std::string(1000, 'x'))}, "range-ignored"},
      {"wrong range", {partial_content(100, 200)}, "range-mismatch"},
      {"length and range differ", {response("206 OK", "xyz", "Content-Range: bytes 0-99/1000\r\n")}, "range-mismatch"},
      {"busy", {response("503 Service Unavailable", "later")}, "server-busy"},
      {"garbage", {"220 mail.example ESMTP\r\n\r\n"}, "protocol"},
      {"closed within the body", {good.substr(0, good.size() - 10), Then::kClose}, "closed-mid-body"},
      {"reset within the body", {good.substr(0, good.size() - 10), Then::kReset}, "reset"},
      {"closed without a word", {"", Then::kClose}, "closed-unanswered"},
      {"reset without a word", {"", Then::kReset}, "closed-unanswered"},
      {"silence", {"", Then::kSilence}, "stalled"},
      {"silence within the body", {good.substr(0, good.size() - 10), Then::kSilence}, "stalled"},
      {"silence within the head", {good.substr(0, 30), Then::kSilence}, "stalled"},
  };
  for (const auto& faulty : cases) {
    const FaultyOrigin origin{[&](const std::string&) { return faulty.reply; }};
    LinkWorld world{url_of(origin), {.link = "lo", .ca_file = {}}, impatient()};
    EXPECT_EQ(failure_of(world.fetch(kRange)), faulty.reason) << faulty.what;
  }
}

TEST(FaultyOrigins, ARequestAfterAFailureConnectsAnew) {
  int requests = 0;
  const FaultyOrigin origin{[&](const std::string&) {
    return ++requests == 1 ? FaultyOrigin::Reply{"garbage\r\n\r\n"} : FaultyOrigin::Reply{partial_content(0, 100)};
  }};
  LinkWorld world{url_of(origin), LinkRules{}};
  EXPECT_EQ(failure_of(world.fetch(kRange)), "protocol");
  EXPECT_EQ(world.fetch(kRange).done().size(), 1u);
  EXPECT_EQ(origin.connections(), 2);
}

TEST(FaultyOrigins, AnIdleCloseIsInvisible) {
  const FaultyOrigin origin{[](const std::string&) {
    return FaultyOrigin::Reply{partial_content(0, 100), Then::kClose};  // without having announced it
  }};
  LinkWorld world{url_of(origin), LinkRules{}};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(world.fetch(kRange).done().size(), 1u);
  EXPECT_EQ(origin.connections(), 5);
}

}  // namespace
}  // namespace tributary::transport
