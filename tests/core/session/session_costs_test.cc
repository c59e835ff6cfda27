#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "core/session.hh"
#include "support/link_ids.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::kLte;
using testing::kWifi;
using testing::SessionDriver;

SessionOptions that_spend_for(const std::string& spend_for = "lowest") {
  SessionOptions result;
  result.buffer_segments = 2;
  result.adaptation = "fixed:low";
  result.spend_for = spend_for;
  return result;
}

void lte_costs(SessionDriver& d, CostKind kind, std::optional<DataSize> allowed = std::nullopt,
               std::string why_not_more = "") {
  d.happens(event::LinkCostTold{{kind, kind == CostKind::kPaid ? 0.01 : 0, allowed, std::move(why_not_more)}, kLte});
}

void wifi_goes(SessionDriver& d) {
  d.happens(event::LinkDown{kWifi, "gone"});
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) d.fail(id, FailureReason::kLinkDown);
}

DataSize bytes_asked_of(const SessionDriver& d, LinkId link) {
  DataSize sum;
  for (const auto& request : d.all<action::SendRequest>()) {
    if (request.link == link) sum += request.range.size();
  }
  return sum;
}

/// Links that bring what they were asked for, one request after the other, 50 kB in so much time.
class Links {
 public:
  Links(SessionDriver& driver, Duration wifi, Duration lte) : driver_{driver}, takes_{{kWifi, wifi}, {kLte, lte}} {}

  void go_on(Duration time) {
    constexpr Duration kStep = 10ms;
    for (Duration t{}; t < time; t += kStep) {
      driver_.wait(kStep);
      for (const auto& [link, takes] : takes_) work_on(link, takes);
    }
  }

 private:
  void work_on(LinkId link, Duration takes) {
    const auto request = std::ranges::find_if(driver_.unanswered(),
                                              [&](RequestId id) { return link_of(id) == link && !done_.contains(id); });
    if (request == driver_.unanswered().end()) return;
    const RequestId id = *request;
    const auto [began, first] = began_.try_emplace(id, driver_.now());
    if (first) return driver_.happens(event::ResponseBegan{id});
    if (driver_.now() < began->second + from_seconds(to_seconds(takes) * (sizes_.at(id) / 50_kB))) return;
    done_.insert(id);
    driver_.happens(event::BytesReceived{id, sizes_.at(id)});
    driver_.happens(event::RequestDone{id});
  }
  LinkId link_of(RequestId id) {
    const auto [link, fresh] = links_.try_emplace(id);
    if (fresh) {
      const action::SendRequest request = driver_.request(id);
      link->second = request.link;
      sizes_[id] = request.range.size();
    }
    return link->second;
  }

  SessionDriver& driver_;
  std::map<LinkId, Duration> takes_;
  std::map<RequestId, TimePoint> began_;
  std::map<RequestId, LinkId> links_;
  std::map<RequestId, DataSize> sizes_;
  std::set<RequestId> done_;
};

TEST(Costs, APaidLinkThatIsThereFirstIsNotTakenForTheOnlyOne) {
  SessionDriver d{constant_table(20, {250_kB}), that_spend_for()};  // 1 Mbit/s
  lte_costs(d, CostKind::kPaid);
  d.link_up(1, "lte");
  EXPECT_EQ(bytes_asked_of(d, kLte), DataSize{});  // the others may come in a moment
  d.wait(1s);
  EXPECT_GT(bytes_asked_of(d, kLte), DataSize{});
}

TEST(Costs, FreeLinksAreAskedForEverythingInAllTheirTime) {
  SessionDriver d{constant_table(20, {250_kB}), that_spend_for()};
  lte_costs(d, CostKind::kPaid);
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  Links{d, 150ms, 50ms}.go_on(30s);  // 50 kB in 150 ms
  EXPECT_GT(bytes_asked_of(d, kWifi), 3000_kB);
  EXPECT_EQ(bytes_asked_of(d, kLte), DataSize{});
}

TEST(Costs, APaidLinkBringsWhatTheFreeOneCannotAndNoMore) {
  SessionDriver d{constant_table(20, {500_kB}), that_spend_for()};  // 2 Mbit/s
  lte_costs(d, CostKind::kPaid);
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  Links{d, 400ms, 50ms}.go_on(44s);  // 1 Mbit/s, 8 Mbit/s
  const DataSize all = 20 * 500_kB;
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 20U);
  for (const auto& played : d.all<action::PlaySegment>()) EXPECT_EQ(played.miss, Duration::zero());
  EXPECT_GT(bytes_asked_of(d, kLte), scale(all, 0.35));
  EXPECT_LT(bytes_asked_of(d, kLte), scale(all, 0.55));
}

TEST(Costs, ForStallsAloneNothingIsSpentBeforePlayoutBegins) {
  for (const bool stall : {true, false}) {
    SessionDriver d{constant_table(20, {500_kB}), that_spend_for(stall ? "stall" : "lowest")};
    lte_costs(d, CostKind::kPaid);
    d.link_up(0, "wifi");
    d.link_up(1, "lte");
    Links{d, 2s, 50ms}.go_on(6s);
    EXPECT_EQ(bytes_asked_of(d, kLte) == DataSize{}, stall);
  }
}

TEST(Costs, NotAByteIsRequestedBeyondWhatIsAllowed) {
  SessionDriver d{constant_table(20, {500_kB}), that_spend_for()};
  lte_costs(d, CostKind::kMetered, 777_kB);
  d.link_up(1, "lte");
  Links links{d, 400ms, 50ms};
  links.go_on(30s);
  EXPECT_EQ(bytes_asked_of(d, kLte), 777_kB);
  lte_costs(d, CostKind::kMetered, 1000_kB);
  links.go_on(10s);
  EXPECT_EQ(bytes_asked_of(d, kLte), 1000_kB);
}

TEST(Costs, ASessionWhoseOnlyLinkIsUsedUpEndsAtOnce) {
  for (const auto mode : {StreamingMode::kDownload, StreamingMode::kOnDemand}) {
    SessionOptions options = that_spend_for();
    options.mode = mode;
    SessionDriver d{constant_table(20, {500_kB}), options};
    lte_costs(d, CostKind::kMetered, 0_kB, "10 of 10 MB");
    d.link_up(1, "lte");
    d.wait(1s);
    ASSERT_EQ(d.all<action::Finish>().size(), 1U);
    EXPECT_FALSE(d.all<action::Finish>()[0].complete);
    EXPECT_TRUE(d.all<action::Finish>()[0].used_up);
    EXPECT_EQ(d.all<action::Finish>()[0].reason, "no link is left; lte may not bring more: 10 of 10 MB");
    EXPECT_EQ(bytes_asked_of(d, kLte), DataSize{});
  }
}

TEST(Costs, ASessionEndsWhenTheLastByteThatIsAllowedIsHere) {
  SessionDriver d{constant_table(20, {500_kB}), that_spend_for()};
  lte_costs(d, CostKind::kMetered, 777_kB);
  d.link_up(1, "lte");
  Links links{d, 400ms, 50ms};
  links.go_on(10s);
  EXPECT_TRUE(d.all<action::Finish>().empty());  // more may be allowed in a moment
  lte_costs(d, CostKind::kMetered, 1000_kB, "its cap");
  links.go_on(10s);
  EXPECT_EQ(bytes_asked_of(d, kLte), 1000_kB);
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_TRUE(d.all<action::Finish>()[0].used_up);
}

TEST(Costs, OfALinkThatIsUsedUpItIsSaidAtOnceAndTheOthersGoOn) {
  SessionDriver d{constant_table(20, {250_kB}), that_spend_for()};
  lte_costs(d, CostKind::kMetered, 0_kB, "10 of 10 MB");
  d.link_up(1, "lte");
  d.link_up(0, "wifi");
  ASSERT_EQ(d.all<action::AvoidLink>().size(), 1U);
  EXPECT_EQ(d.all<action::AvoidLink>()[0].reason, "10 of 10 MB");
  Links{d, 150ms, 50ms}.go_on(50s);
  EXPECT_EQ(d.all<action::AvoidLink>().size(), 1U);
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_TRUE(d.all<action::Finish>()[0].complete);
}

TEST(Costs, AStreamThatStaysOpenWaitsUntilALinkMayBringMore) {
  SessionOptions options = that_spend_for();
  options.stays_open = true;
  SessionDriver d{constant_table(20, {500_kB}), options};
  lte_costs(d, CostKind::kMetered, 1200_kB, "its cap");
  d.link_up(1, "lte");
  Links links{d, 400ms, 50ms};
  links.go_on(30s);
  EXPECT_TRUE(d.all<action::Finish>().empty());
  ASSERT_EQ(d.all<action::Stall>().size(), 1U);
  EXPECT_NE(d.all<action::Stall>()[0].reason.find("lte may not bring more: its cap"), std::string::npos);
  lte_costs(d, CostKind::kMetered, 20_MB);
  links.go_on(60s);
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 20U);
}

TEST(Costs, WholeFilesAreNotAskedOfALinkWithACap) {
  SessionDriver d{constant_table(20, {500_kB}), that_spend_for()};
  lte_costs(d, CostKind::kMetered, 700_kB);
  d.link_up(1, "lte");
  d.wait(1s);
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) d.fail(id, FailureReason::kRangeIgnored);
  d.wait(1s);
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_NE(d.all<action::Finish>()[0].reason.find("the server sends files only whole"), std::string::npos);
}

TEST(Costs, WhatFailedDidNotUseUpWhatIsAllowed) {
  SessionDriver d{constant_table(20, {500_kB}), that_spend_for()};
  lte_costs(d, CostKind::kMetered, 100_kB);
  d.link_up(1, "lte");
  d.wait(1s);
  const DataSize failed = bytes_asked_of(d, kLte);
  EXPECT_GT(failed, DataSize{});
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) d.fail(id, FailureReason::kClosedUnanswered);
  Links{d, 400ms, 50ms}.go_on(10s);
  EXPECT_EQ(bytes_asked_of(d, kLte), failed + 100_kB);
}

TEST(Costs, ABackupTakesThePlaceOfFreeLinksThatAreGone) {
  SessionDriver d{constant_table(20, {250_kB}), that_spend_for()};
  lte_costs(d, CostKind::kBackup);
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  Links links{d, 150ms, 50ms};
  links.go_on(3s);
  EXPECT_EQ(bytes_asked_of(d, kLte), DataSize{});
  wifi_goes(d);
  links.go_on(3s);
  EXPECT_GT(bytes_asked_of(d, kLte), 100_kB);
}

TEST(Costs, QualitiesAreNotChosenByWhatIsPaidFor) {
  for (const std::string spend_for : {"lowest", "medium", "high"}) {
    SessionOptions spending = that_spend_for(spend_for);
    spending.adaptation = "thesis";
    spending.start = StartRule::kFast;
    SessionDriver d{constant_table(20, {100_kB, 400_kB, 800_kB}), spending};
    lte_costs(d, CostKind::kPaid);
    d.link_up(0, "wifi");
    d.link_up(1, "lte");
    Links{d, 300ms, 20ms}.go_on(36s);  // 1.3 Mbit/s; the qualities take 0.4, 1.6, 3.2
    double sum = 0;
    for (const auto& segment : d.all<action::StartSegment>()) {
      sum += static_cast<double>(to_index(segment.quality));
    }
    const double mean = sum / static_cast<double>(d.all<action::StartSegment>().size());
    if (spend_for == "lowest") {
      EXPECT_LT(bytes_asked_of(d, kLte), 100_kB) << spend_for;
    } else {
      EXPECT_GT(mean, spend_for == "medium" ? 0.7 : 1.6) << spend_for;
    }
  }
}

TEST(Costs, SpendingIsForAQualityThatThereIs) {
  try {
    Session session{constant_table(20, {100_kB, 400_kB}), that_spend_for("4k")};
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "spend for \"4k\": expected lowest, stall, low, medium");
  }
}

TEST(Costs, WithoutADeadlineSparedLinksWaitUntilNoFreeOneIsLeft) {
  SessionOptions download = that_spend_for();
  download.mode = StreamingMode::kDownload;
  SessionDriver d{constant_table(20, {500_kB}), download};
  lte_costs(d, CostKind::kPaid);
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  Links links{d, 1s, 50ms};
  links.go_on(5s);
  EXPECT_EQ(bytes_asked_of(d, kLte), DataSize{});
  wifi_goes(d);
  links.go_on(15s);
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 20U);
}

/// What is asked of the metered link first is more than it may bring: the rest is for the free one.
TEST(Costs, WhatIsMoreThanALinkMayBringIsAskedOfTheOthers) {
  SessionDriver d{constant_table(4, {250_kB}), that_spend_for()};
  lte_costs(d, CostKind::kMetered, 5_kB, "its cap is reached");
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  Links links{d, 4s, 10ms};
  links.go_on(60s);
  EXPECT_EQ(bytes_asked_of(d, kLte), 5_kB);
  EXPECT_TRUE(std::ranges::any_of(d.all<action::SendRequest>(), [](const action::SendRequest& request) {
    return request.reason == "more than another link may bring";
  }));
}

}  // namespace
}  // namespace tributary
