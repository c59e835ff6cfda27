#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/links/link_entry.hh"

namespace tributary {
namespace {

using ::testing::HasSubstr;

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
LinkDiagnosis found(std::vector<LinkEntry> links) {
  diagnose(links, kUrl, false);
  return links.at(1).diagnosis.value_or(LinkDiagnosis{"nothing", ""});
}

TEST(LinkDiagnosis, NothingIsWrongWithLinksThatAgree) { EXPECT_EQ(found({link("a"), link("b")}).problem, "nothing"); }

TEST(LinkDiagnosis, AnotherHostThanOverTheOthersIsALoginPage) {
  LinkEntry portal = link("b");
  portal.probe->answered_by = "http://login.example/";
  portal.probe->ranges = false;
  const LinkDiagnosis diagnosis = found({link("a"), portal});
  EXPECT_THAT(diagnosis.problem, HasSubstr("led to login.example instead"));
  EXPECT_EQ(diagnosis.command, "xdg-open http://origin.example/");
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
