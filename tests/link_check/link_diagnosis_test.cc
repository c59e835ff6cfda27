#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link_check/link_entry.hh"
#include "link_check/links_report.hh"

namespace tributary {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kUrl[] = "https://origin.example/film/index.json";

LinkEntry link(const std::string& name, std::uint32_t metric = 100) {
  LinkEntry entry;
  entry.state = {
      .name = name, .interface_index = 7, .kind = "ethernet", .up = true, .carrier = true, .ipv4 = {}, .ipv6 = {}};
  entry.state.ipv4 = {{"192.0.2.7/24"}, true, "192.0.2.1", metric};
  LinkProbe probe;
  probe.answered_by = kUrl;
  probe.size = DataSize{5000};
  probe.ranges = true;
  entry.probe = probe;
  return entry;
}

LinkEntry failed(const std::string& name, FailureReason reason, const std::string& text = "what came back") {
  LinkEntry entry = link(name, 200);
  entry.probe = LinkProbe{};
  entry.probe->failure = {reason, text};
  return entry;
}

/// Of the second one.
LinkDiagnosis found(std::vector<LinkEntry> links,
                    const std::vector<std::string>& origin = {"203.0.113.1", "2001:db8::1"},
                    const std::string& url = kUrl) {
  diagnose(links, {url, origin}, false);
  return links.at(1).diagnosis.value_or(LinkDiagnosis{"nothing", ""});
}

TEST(LinkDiagnosis, NothingIsWrongWithLinksThatAgree) { EXPECT_EQ(found({link("a"), link("b")}).problem, "nothing"); }

TEST(LinkDiagnosis, AnotherHostThanOverTheOthersIsALoginPage) {
  LinkEntry portal = link("b");
  portal.probe->answered_by = "http://login.example/?session=secret";
  portal.probe->ranges = false;
  const LinkDiagnosis diagnosis = found({link("a"), portal});
  EXPECT_THAT(diagnosis.problem, HasSubstr("led to login.example instead"));
  EXPECT_EQ(diagnosis.command, "xdg-open 'http://login.example/'")
      << "a session is a secret, and the page finds it again";
}

/// Programs with capabilities serve whoever starts them, and load what the environment names.
TEST(LinkDiagnosis, NoProgramIsToBeGivenCapabilities) {
  EXPECT_EQ(found({link("a"), failed("b", FailureReason::kInterface)}).command, "uname -r");
}

TEST(LinkDiagnosis, ARefusedAddressIsNoFaultOfTheLinks) {
  for (const FailureReason reason :
       {FailureReason::kNotFound, FailureReason::kUnauthorized, FailureReason::kBadRequest}) {
    std::vector<LinkEntry> links{failed("a", reason), failed("b", reason)};
    const auto problem = diagnose(links, {kUrl, {"203.0.113.1"}}, false);
    EXPECT_THAT(problem.value_or(""), AllOf(HasSubstr("what came back"), HasSubstr("refuses the address")));
    EXPECT_FALSE(links[0].diagnosis || links[1].diagnosis);
    EXPECT_THAT(links_table(links, problem), AllOf(HasSubstr("works"), HasSubstr("refuses the address")));
    EXPECT_THAT(links_json(links, problem), AllOf(HasSubstr("address_problem"), HasSubstr("\"usable\":true")));
    EXPECT_THAT(found({failed("a", reason), failed("b", FailureReason::kStalled)}).problem,
                HasSubstr("the origin answers over other links"));
    EXPECT_THAT(found({link("a"), failed("b", reason)}).problem, HasSubstr("over this link alone"));
  }
}

TEST(LinkDiagnosis, AnAddressInACommandIsOneWordWithoutWhatIsSecret) {
  LinkEntry a = link("a"), b = link("b");
  a.probe->ranges = b.probe->ranges = false;
  const std::string url = "https://user:secret@origin.example/it's;ours?token=secret";
  EXPECT_EQ(found({a, b}, {"203.0.113.1"}, url).command,
            "curl -r 0-0 -I 'https://...@origin.example/it'\\''s;ours?...'");
  for (const FailureReason reason : {FailureReason::kRefused, FailureReason::kNotFound, FailureReason::kTls})
    EXPECT_THAT(found({link("a"), failed("b", reason)}, {"203.0.113.1"}, url).command, Not(HasSubstr("secret")));
}

TEST(LinkDiagnosis, NoReportShowsWhatIsSecretInAnAddress) {
  std::vector<LinkEntry> links{link("a"), link("b")};
  links[0].probe->answered_by = links[1].probe->answered_by = "https://user:secret@cdn.example/film?token=secret";
  links[1].probe->ranges = false;
  diagnose(links, {"https://user:secret@origin.example/film?token=secret", {"203.0.113.1"}}, false);
  EXPECT_THAT(links_json(links), AllOf(HasSubstr("https://...@cdn.example/film?..."), Not(HasSubstr("secret"))));
  EXPECT_THAT(links_table(links), Not(HasSubstr("secret")));
}

TEST(LinkDiagnosis, ALoginPageIsKnownByItselfToo) {
  LinkEntry portal = link("b"), other = failed("a", FailureReason::kConnectTimeout);
  portal.probe->web_page = true;
  portal.probe->ranges = false;
  EXPECT_THAT(found({other, portal}).problem, HasSubstr("a web page comes"));
  portal.probe->answered_by = "http://login.example/";
  EXPECT_THAT(found({other, portal}).problem, HasSubstr("led to login.example instead"));
}

TEST(LinkDiagnosis, ALinkThatCrawlsIsNotBlocked) {
  LinkEntry crawling = link("b");
  crawling.probe->crawls = true;
  crawling.probe->round_trip = std::chrono::milliseconds{1240};
  const LinkDiagnosis diagnosis = found({link("a"), crawling});
  EXPECT_THAT(diagnosis.problem, HasSubstr("round trip of 1.24 s"));
  EXPECT_EQ(diagnosis.command, "ping -c 3 -I b 192.0.2.1");
}

TEST(LinkDiagnosis, AnotherHostForAllIsARedirect) {
  LinkEntry a = link("a"), b = link("b");
  a.probe->answered_by = b.probe->answered_by = "https://cdn.example/film/index.json";
  EXPECT_EQ(found({a, b}).problem, "nothing");
}

TEST(LinkDiagnosis, AnotherCertificateThanOverTheOthersIsSomebodyElse) {
  EXPECT_THAT(found({link("a"), failed("b", FailureReason::kTlsVerification)}).problem,
              HasSubstr("in the origin's place"));
  EXPECT_THAT(found({failed("a", FailureReason::kTlsVerification),
                     failed("b", FailureReason::kTlsVerification, "not yet valid")})
                  .command,
              HasSubstr("timedatectl"));
}

TEST(LinkDiagnosis, ATlsConnectionThatFailsIsNoMatterOfTheCertificate) {
  EXPECT_EQ(found({failed("a", FailureReason::kTls), failed("b", FailureReason::kTls, "before 1.2")}).problem,
            "before 1.2");
  const std::string here_alone = found({link("a"), failed("b", FailureReason::kTls)}).problem;
  EXPECT_THAT(here_alone, AllOf(HasSubstr("over this link alone"), Not(HasSubstr("certificate"))));
}

TEST(LinkDiagnosis, SilenceWithAStrictReversePathFilter) {
  LinkEntry silent = failed("b", FailureReason::kConnectTimeout);
  EXPECT_EQ(found({link("a"), silent}).command, "ping -c 3 -I b 192.0.2.1");
  silent.strict_reverse_path = true;
  EXPECT_EQ(found({link("a"), silent}).command, "sysctl -w net.ipv4.conf.b.rp_filter=2");
  LinkEntry worse = link("a", 300);  // what comes in over b is from where b leads to
  EXPECT_EQ(found({worse, silent}).command, "ping -c 3 -I b 192.0.2.1");
}

TEST(LinkDiagnosis, ALinkWhoseTrafficLeavesByAnotherOne) {
  LinkEntry tunnel = link("b");
  tunnel.probe->also_over = {"a"};
  EXPECT_THAT(found({link("a"), tunnel}).problem, HasSubstr("its traffic leaves by a"));
}

TEST(LinkDiagnosis, WhatALinkLacksAndWhoGivesIt) {
  LinkEntry lacking = link("b");
  lacking.probe.reset();
  lacking.state.ipv4 = {};
  EXPECT_EQ(found({link("a"), lacking}).command, "dhclient b");
  EXPECT_EQ(found({link("a"), lacking}, {"2001:db8::1"}).command, "dhclient -6 b");
  EXPECT_THAT(found({link("a"), lacking}, {"203.0.113.1"}).problem, HasSubstr("the origin has only IPv4 addresses"));
  lacking.state.ipv6.addresses = {"2001:db8:7::7/64"};
  lacking.state.ipv4.gateway = "192.0.2.1";  // of no use to it
  EXPECT_EQ(found({link("a"), lacking}).command, "ip -6 route add default via ROUTER dev b metric 1007");
  lacking.state.ipv6.addresses = {};
  lacking.state.ipv4.gateway.clear();
  lacking.state.ipv4.addresses = {"192.0.2.7/24"};
  EXPECT_EQ(found({link("a"), lacking}).command, "ip route add default via ROUTER dev b metric 1007");
  lacking.state.carrier = false;
  EXPECT_THAT(found({link("a"), lacking}).problem, HasSubstr("no cable"));
  lacking.state.up = false;
  EXPECT_EQ(found({link("a"), lacking}).command, "ip link set b up");
}

TEST(LinkDiagnosis, AnOriginWithoutRanges) {
  LinkEntry a = link("a"), b = link("b");
  a.probe->ranges = b.probe->ranges = false;
  EXPECT_THAT(found({a, b}).problem, HasSubstr("does not answer ranges"));
}

}  // namespace
}  // namespace tributary
