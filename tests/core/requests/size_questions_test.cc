#include "core/requests/size_questions.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "presentation/segments/size_estimates.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::segment;
using testing::SessionDriver;

constexpr std::size_t kSegments = 20;

/// Two qualities of 100 and 300 kB, which their manifest states or does not.
SegmentTable film(bool sizes_are_told) {
  std::vector<DataSize> low(kSegments, 100_kB), high(kSegments, 300_kB);
  const Presentation exact = testing::presentation_of({{"low", low}, {"high", high}});
  return SegmentTable{sizes_are_told ? exact : without_sizes(exact)};
}

SessionOptions asking_options() {
  SessionOptions options = testing::static_options(3);
  options.subsegment_size = 1000_kB;  // a segment is a request
  return options;
}

/// All that is asked for comes, until nothing more is. Heads tell the sizes, of which every second one is `odd` times what
/// was declared.
void receive_all(SessionDriver& d, double odd = 1) {
  for (int i = 0; i < 1000 && !d.session().outstanding().empty(); ++i) {
    const OutstandingRequest request = d.session().outstanding().all().front();
    std::optional<QualityIndex> quality;
    for (const auto& started : d.all<action::StartSegment>()) {
      if (started.segment == request.segment) quality = started.quality;
    }
    const DataSize declared = quality == QualityIndex{0} ? 100_kB : 300_kB;
    const DataSize size = scale(declared, to_index(request.segment) % 2 == 1 ? odd : 1);
    d.happens(event::ResponseBegan{request.id, size});
    d.happens(event::BytesReceived{request.id,
                                   std::max(std::min(request.range.end, size) - request.range.begin, DataSize{})});
    d.happens(event::RequestDone{request.id});
  }
}

/// The first segment comes over the first link, and what follows.
void receive_first(SessionDriver& d) {
  d.link_up(0, "wifi");
  d.wait(1s);
  receive_all(d);
}

TEST(SizeQuestions, AskForTheSegmentsOfAPlanWhenALinkIsMeasured) {
  SessionDriver d{film(false), asking_options()};
  d.link_up(0, "wifi");
  EXPECT_TRUE(d.all<action::AskSize>().empty());  // it may answer no ranges
  d.wait(1s);
  receive_all(d);
  const auto asked = d.all<action::AskSize>();
  ASSERT_FALSE(asked.empty());
  std::set<SegmentIndex> segments;
  for (const action::AskSize& question : asked) segments.insert(question.segment);
  EXPECT_GE(segments.size(), 8U);
  EXPECT_EQ(asked.front().link, LinkId{0});
}

TEST(SizeQuestions, NothingIsAskedTwiceNorWhatIsKnown) {
  SessionDriver d{film(false), asking_options()};
  receive_first(d);
  std::set<std::pair<SegmentIndex, QualityIndex>> asked;
  for (const action::AskSize& question : d.all<action::AskSize>())
    EXPECT_TRUE(asked.emplace(question.segment, question.quality).second);
  EXPECT_FALSE(asked.empty());
  SessionDriver known{film(true), asking_options()};
  receive_first(known);
  EXPECT_TRUE(known.all<action::AskSize>().empty());
}

TEST(SizeQuestions, AnswersAreWhatThePlanCountsWith) {
  SessionDriver d{film(false), asking_options()};
  receive_first(d);
  d.happens(event::SizeTold{segment(9), QualityIndex{1}, 700_kB});
  EXPECT_EQ(d.session().table().size(segment(9), QualityIndex{1}), 700_kB);
  EXPECT_GT(d.session().table().size(segment(9), QualityIndex{0}), 150_kB);
  d.happens(event::SizeTold{segment(kSegments), QualityIndex{1}, 700_kB});  // no such segment
  d.happens(event::SizeTold{segment(3), QualityIndex{2}, 700_kB});          // nor quality
}

TEST(SizeQuestions, GoodEstimatesNeedNoneMore) {
  SessionDriver d{film(false), asking_options()};
  receive_first(d);
  const auto before = d.all<action::AskSize>();
  for (const action::AskSize& question : before)
    d.happens(
        event::SizeTold{question.segment, question.quality, question.quality == QualityIndex{0} ? 100_kB : 300_kB});
  for (int i = 0; i < 4; ++i) {
    d.wait(2s);
    receive_all(d);
  }
  EXPECT_EQ(d.all<action::AskSize>().size(), before.size());
}

TEST(SizeQuestions, AUserWhoChoseAQualityNeedsNone) {
  SessionDriver d{film(false), asking_options()};
  d.happens(event::QualityChosen{QualityIndex{1}});
  receive_first(d);
  EXPECT_TRUE(d.all<action::AskSize>().empty());
}

TEST(SizeQuestions, ADownloadNeedsNone) {
  SessionOptions download = asking_options();
  download.mode = StreamingMode::kDownload;
  SessionDriver d{film(false), download};
  receive_first(d);
  EXPECT_TRUE(d.all<action::AskSize>().empty());
}

TEST(SizeQuestions, NeverGoOverALinkThatCosts) {
  SessionDriver d{film(false), asking_options()};
  event::LinkCostTold cost;
  cost.link = LinkId{0};
  cost.kind = CostKind::kPaid;
  d.happens(cost);
  receive_first(d);
  EXPECT_FALSE(d.all<action::SendRequest>().empty());
  EXPECT_TRUE(d.all<action::AskSize>().empty());
}

TEST(SizeQuestions, AfterASeekBackThoseSegmentsAreAskedFor) {
  SessionDriver d{film(false), asking_options()};
  d.link_up(0, "wifi");
  d.wait(1s);
  receive_all(d, 3);
  d.happens(event::SeekRequested{segment(12), 0, std::nullopt});
  receive_all(d, 3);
  const auto before = d.all<action::AskSize>();
  d.happens(event::SeekRequested{segment(9), 0, std::nullopt});
  receive_all(d, 3);
  const auto asked = d.all<action::AskSize>();
  ASSERT_GT(asked.size(), before.size());
  EXPECT_GE(asked[before.size()].segment, segment(9));
  EXPECT_LE(asked[before.size()].segment, segment(11));
}

}  // namespace
}  // namespace tributary
