// Files that the origin does not have.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::segment;
using testing::SessionDriver;

constexpr QualityIndex kLowest{0}, kMedium{1}, kHigh{2};

/// An origin that lacks some files answers all requests of a session, and those that follow.
class SessionMissing : public ::testing::Test {
 protected:
  /// The files are numbered as the segments are: from zero.
  static SegmentTable table(std::size_t segments = 8) {
    Presentation presentation = constant_table(segments, {100_kB, 200_kB, 400_kB}).presentation();
    for (Track& track : presentation.tracks) track.first_number = 0;
    return SegmentTable{presentation};
  }
  static SegmentTable table_with_init_and_sound() {
    Presentation presentation = table().presentation();
    presentation.tracks.push_back(presentation.tracks[0]);
    Track& sound = presentation.tracks.back();
    sound.id = "sound";
    sound.kind = TrackKind::kAudio;
    sound.uri = "sound/{n:05}.bin";
    sound.sizes.assign(8, 5_kB);
    for (Track& track : presentation.tracks) track.init = Resource{track.id + "/init.bin", {0_B, 1_kB}, true};
    return SegmentTable{presentation};
  }
  static SessionOptions options(std::uint32_t buffer = 3) { return testing::static_options(buffer); }

  static std::string file_of(const SessionDriver& d, RequestId id) {
    const action::SendRequest& request = d.request(id);
    const auto started = d.all<action::StartSegment>();
    const auto last = std::find_if(started.rbegin(), started.rend(),
                                   [&](const auto& start) { return start.segment == request.segment; });
    const SegmentTable& table = d.session().table();
    std::vector<SegmentPart> parts;
    if (last->init_parts > 0) parts = table.init_parts(last->segment, last->quality);
    for (const SegmentPart& part : table.parts(last->segment, last->quality)) parts.push_back(part);
    return parts.at(request.part).resource.uri;
  }
  void serve(SessionDriver& d, FailureReason no = FailureReason::kNotFound) {
    for (int i = 0; i < 2000 && !d.session().finished(); ++i) {
      if (d.unanswered().empty()) {
        d.wait(250ms);
        continue;
      }
      const RequestId id = *d.unanswered().begin();
      const auto* request = d.session().outstanding().find(id);
      if (request->abandoned) {
        d.fail(id, FailureReason::kAbandoned);
      } else if (missing.contains(file_of(d, id))) {
        ++refused[file_of(d, id)];
        d.fail(id, no);
      } else {
        d.answer(id);
      }
    }
  }
  static std::map<std::size_t, QualityIndex> delivered(const SessionDriver& d) {
    std::map<std::size_t, QualityIndex> all;
    for (const auto& one : d.all<action::DeliverSegment>()) {
      for (const auto& start : d.all<action::StartSegment>()) {
        if (start.segment == one.segment) all[to_index(one.segment)] = start.quality;
      }
    }
    return all;
  }

  std::set<std::string> missing;
  std::map<std::string, int> refused;
};

TEST_F(SessionMissing, ASegmentIsTakenInTheNextLowerQuality) {
  for (const FailureReason no : {FailureReason::kNotFound, FailureReason::kUnauthorized}) {
    SessionDriver d{table(), options()};
    d.happens(event::QualityChosen{kHigh});
    d.link_up(0, "wifi");
    missing = {"high/00003.bin"};
    refused = {};
    serve(d, no);
    ASSERT_EQ(d.all<action::Finish>().size(), 1U);
    EXPECT_TRUE(d.all<action::Finish>()[0].complete) << d.all<action::Finish>()[0].reason;
    EXPECT_TRUE(d.all<action::SkipSegment>().empty());
    auto qualities = delivered(d);
    EXPECT_EQ(qualities.size(), 8U);
    EXPECT_EQ(qualities[3], kMedium);
    EXPECT_EQ(qualities[2], kHigh);
    EXPECT_EQ(qualities[4], kHigh);
    EXPECT_LE(refused["high/00003.bin"], 8) << "each of its ranges is asked for twice at most";
    const auto started = d.all<action::StartSegment>();
    EXPECT_TRUE(std::ranges::any_of(started, [](const auto& start) {
      return start.segment == segment(3) && start.reason.starts_with("the origin does not have it in high: ");
    }));
  }
}

TEST_F(SessionMissing, OrInAHigherOneIfNoLowerOneIsThere) {
  SessionDriver d{table(), options()};
  d.happens(event::QualityChosen{kMedium});
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  missing = {"medium/00003.bin", "low/00003.bin"};
  serve(d);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  EXPECT_TRUE(d.all<action::SkipSegment>().empty());
  EXPECT_EQ(delivered(d)[3], kHigh);
}

TEST_F(SessionMissing, ATitleThatIsDownloadedGoesOnBehindWhatIsNotThere) {
  SessionOptions film = options();
  film.mode = StreamingMode::kDownload;
  film.adaptation = "fixed:high";
  film.in_order = true;
  missing = {"high/00003.bin", "high/00007.bin"};
  SessionDriver d{table(), film};
  d.link_up(0, "wifi");
  serve(d);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 6U);
  EXPECT_EQ(d.all<action::SkipSegment>().size(), 2U);
  EXPECT_EQ(d.all<action::SkipSegment>().at(1).missing, "high/00007.bin");
}

TEST_F(SessionMissing, AFileThatIsDownloadedHasAllItsParts) {
  SessionOptions file = options();
  file.mode = StreamingMode::kDownload;
  file.adaptation = "fixed:high";
  missing = {"high/00007.bin"};
  SessionDriver d{table(), file};
  d.link_up(0, "wifi");
  serve(d);
  EXPECT_FALSE(d.all<action::Finish>().at(0).complete);
}

TEST_F(SessionMissing, AFileIsNotMissingBecauseARequestIsRefused) {
  for (const FailureReason no : {FailureReason::kBadRequest, FailureReason::kNoSuchRange}) {
    SessionDriver d{table(), options()};
    d.happens(event::QualityChosen{kHigh});
    d.link_up(0, "wifi");
    missing = {"high/00003.bin"};
    refused = {};
    while (refused["high/00003.bin"] < 3) {
      ASSERT_FALSE(d.session().finished());
      if (d.unanswered().empty()) {
        d.wait(50ms);
        continue;
      }
      const RequestId id = *d.unanswered().begin();
      const bool refuse = file_of(d, id) == "high/00003.bin" && ++refused["high/00003.bin"] > 0;
      refuse ? d.fail(id, no) : d.answer(id);
    }
    while (!d.session().finished()) d.unanswered().empty() ? d.wait(50ms) : d.answer(*d.unanswered().begin());
    EXPECT_TRUE(d.all<action::Finish>()[0].complete) << d.all<action::Finish>()[0].reason;
    EXPECT_EQ(delivered(d)[3], kHigh) << to_string(no);
  }
}

TEST_F(SessionMissing, WhatEveryQualityRefusesIsNotLeftOut) {
  SessionDriver d{table(), options()};
  d.link_up(0, "wifi");
  missing = {"high/00003.bin", "medium/00003.bin", "low/00003.bin"};
  serve(d, FailureReason::kBadRequest);
  EXPECT_FALSE(d.all<action::Finish>().at(0).complete);
  EXPECT_TRUE(d.all<action::SkipSegment>().empty());
}

TEST_F(SessionMissing, WhatNoQualityHasIsLeftOutByName) {
  SessionDriver d{table(), options()};
  d.happens(event::QualityChosen{kHigh});
  d.link_up(0, "wifi");
  missing = {"high/00003.bin", "medium/00003.bin", "low/00003.bin"};
  serve(d);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  EXPECT_EQ(d.all<action::Finish>()[0].reason, "every segment was received but 1, which the origin does not have");
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 7U);
  const auto skipped = d.all<action::SkipSegment>();
  ASSERT_EQ(skipped.size(), 1U);
  EXPECT_EQ(skipped[0].segment, segment(3));
  EXPECT_EQ(skipped[0].missing, "low/00003.bin");
  EXPECT_TRUE(skipped[0].reason.starts_with("the origin does not have it: not-found"));
  EXPECT_EQ(d.all<action::PlaySegment>().size(), 7U);
}

TEST_F(SessionMissing, AnOriginThatLacksOneAfterTheOtherIsNone) {
  SessionDriver d{table(8), options()};
  d.link_up(0, "wifi");
  for (const char* quality : {"low", "medium", "high"}) {
    for (int i = 2; i < 8; ++i) missing.insert(fmt::format("{}/{:05}.bin", quality, i));
  }
  serve(d);
  const auto finish = d.all<action::Finish>();
  ASSERT_EQ(finish.size(), 1U);
  EXPECT_FALSE(finish[0].complete);
  EXPECT_TRUE(missing.contains(finish[0].missing)) << finish[0].reason;
  EXPECT_NE(finish[0].reason.find(finish[0].missing), std::string::npos);
  EXPECT_EQ(d.all<action::SkipSegment>().size(), 3U);
}

TEST_F(SessionMissing, ATitleOfWhichNothingIsThereIsNotPlayedToItsEnd) {
  SessionDriver d{table(2), options()};
  d.link_up(0, "wifi");
  for (const char* quality : {"low", "medium", "high"}) {
    for (int i = 0; i < 2; ++i) missing.insert(fmt::format("{}/{:05}.bin", quality, i));
  }
  serve(d);
  EXPECT_FALSE(d.all<action::Finish>().at(0).complete);
}

TEST_F(SessionMissing, AQualityOfWhichMuchIsMissingIsLeftOutForAWhile) {
  SessionDriver d{table(40), options(2)};
  d.happens(event::QualityChosen{kHigh});
  d.link_up(0, "wifi");
  for (int i = 2; i < 40; ++i) missing.insert(fmt::format("high/{:05}.bin", i));
  serve(d);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 40U);
  EXPECT_GE(refused.size(), 4U) << "it is asked for again, as it may be back";
  EXPECT_LE(refused.size(), 6U);
}

TEST_F(SessionMissing, WithoutItsInitPartAQualityIsOfNoUse) {
  SessionDriver d{table_with_init_and_sound(), options()};
  d.happens(event::QualityChosen{kHigh});
  d.link_up(0, "wifi");
  missing = {"high/init.bin"};
  serve(d);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  const auto qualities = delivered(d);
  EXPECT_EQ(qualities.size(), 8U);
  EXPECT_TRUE(std::ranges::all_of(qualities, [](const auto& one) { return one.second == kMedium; }));
}

/// The init part of a quality comes with its first segment. Others of the same quality count on that.
TEST_F(SessionMissing, OthersBringTheInitPartThatAMissingSegmentWasToBring) {
  for (const bool in_one_quality_only : {true, false}) {
    SessionDriver d{table_with_init_and_sound(), options()};
    d.happens(event::QualityChosen{kHigh});
    d.link_up(0, "wifi");
    missing = {"high/00000.bin"};
    if (!in_one_quality_only) missing.insert({"medium/00000.bin", "low/00000.bin"});
    serve(d);
    EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
    std::map<std::size_t, action::StartSegment> last;
    for (const auto& start : d.all<action::StartSegment>()) last[to_index(start.segment)] = start;
    EXPECT_EQ(last[1].quality, kHigh);
    EXPECT_EQ(last[1].init_parts, 2U);
    EXPECT_EQ(last[2].init_parts, 0U);
    EXPECT_EQ(d.all<action::SkipSegment>().size(), in_one_quality_only ? 0U : 1U);
  }
}

TEST_F(SessionMissing, SoundThatIsMissingIsTheSameInAllQualities) {
  SessionDriver d{table_with_init_and_sound(), options()};
  d.happens(event::QualityChosen{kHigh});
  d.link_up(0, "wifi");
  missing = {"sound/00003.bin"};
  serve(d);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  EXPECT_TRUE(d.all<action::SkipSegment>().empty()) << "the picture is there";
  EXPECT_EQ(delivered(d).size(), 8U);
  EXPECT_EQ(refused["sound/00003.bin"], 4);
  ASSERT_EQ(d.all<action::LeaveOut>().size(), 1U);
  EXPECT_EQ(d.all<action::LeaveOut>()[0].what, "segment 3 comes without its sound");
  EXPECT_TRUE(d.session().table().sound());
}

TEST_F(SessionMissing, AnotherQualityIsAskedForAtOnce) {
  SessionDriver d{table(), options()};
  d.happens(event::QualityChosen{kHigh});
  d.link_up(0, "wifi");
  const RequestId first = *d.unanswered().begin();
  ASSERT_EQ(file_of(d, first), "high/00000.bin");
  d.fail(first, FailureReason::kNotFound);
  EXPECT_TRUE(d.all<action::AvoidLink>().empty()) << "that says nothing about the link";
  EXPECT_EQ(d.all<action::StartSegment>().back().quality, kMedium);
}

TEST_F(SessionMissing, AQualityThatIsLeftOutIsTold) {
  SessionDriver d{table(), options()};
  d.happens(event::QualityChosen{kHigh});
  d.link_up(0, "wifi");
  for (int i = 0; i < 8; ++i) missing.insert(fmt::format("high/{:05}.bin", i));
  serve(d);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  EXPECT_EQ(delivered(d).size(), 8U);
  ASSERT_EQ(d.all<action::LeaveOut>().size(), 1U);
  EXPECT_EQ(d.all<action::LeaveOut>()[0].what, "the quality high is left out for 60 s");
}

/// Three segments in a row, or the init part, show that the origin has none of this sound.
TEST_F(SessionMissing, WithoutItsSoundATitleGoesOnSilent) {
  for (const bool init_too : {false, true}) {
    SessionDriver d{table_with_init_and_sound(), options()};
    d.link_up(0, "wifi");
    for (int i = 0; i < 8; ++i) missing.insert(fmt::format("sound/{:05}.bin", i));
    if (init_too) missing.insert("sound/init.bin");
    serve(d);
    EXPECT_TRUE(d.all<action::Finish>().at(0).complete) << d.all<action::Finish>()[0].reason;
    EXPECT_TRUE(d.all<action::SkipSegment>().empty());
    EXPECT_EQ(delivered(d).size(), 8U);
    EXPECT_FALSE(d.session().table().sound());
    EXPECT_EQ(d.all<action::LeaveOut>().back().what, "the sound sound is left out, the title goes on silent");
  }
}

TEST_F(SessionMissing, AnotherSoundOfTheSameLanguageTakesThePlaceOfOneThatIsMissing) {
  Presentation presentation = table_with_init_and_sound().presentation();
  for (const auto& [id, language] : {std::pair{"french", "fr"}, std::pair{"other", "en"}}) {
    Track& more = presentation.tracks.emplace_back(presentation.tracks[3]);
    more.id = id;
    more.uri = more.id + "/{n:05}.bin";
    more.init->uri = more.id + "/init.bin";
    more.label.language = language;
  }
  presentation.tracks[3].label.language = "en";
  SessionDriver d{SegmentTable{presentation}, options()};
  d.link_up(0, "wifi");
  for (int i = 2; i < 8; ++i) missing.insert(fmt::format("sound/{:05}.bin", i));
  serve(d);
  EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
  EXPECT_EQ(delivered(d).size(), 8U);
  EXPECT_EQ(d.session().table().sound(), 5U);
  EXPECT_EQ(d.all<action::LeaveOut>().back().what, "the sound sound is left out for other");
}

TEST_F(SessionMissing, LiveAsWell) {
  for (const bool anywhere : {true, false}) {
    SessionDriver d{table(), testing::live_options(StreamingMode::kLiveBuffered, 3)};
    d.happens(event::QualityChosen{kHigh});
    d.link_up(0, "wifi");
    missing = {"high/00001.bin", "medium/00001.bin"};
    if (!anywhere) missing.insert("low/00001.bin");
    for (int i = 0; i < 8; ++i) d.happens(event::SegmentPublished{segment(i)});
    serve(d);
    EXPECT_TRUE(d.all<action::Finish>().at(0).complete);
    EXPECT_EQ(d.all<action::SkipSegment>().size(), anywhere ? 0U : 1U);
    EXPECT_EQ(delivered(d).contains(1), anywhere);
    if (anywhere) {
      EXPECT_EQ(delivered(d)[1], kLowest);
    }
  }
}

/// The origin has no quality of it yet.
TEST_F(SessionMissing, ALiveSegmentThatIsNotThereTwiceIsLookedForInOtherQualities) {
  SessionDriver d{table(), testing::live_options(StreamingMode::kLiveBuffered, 3)};
  d.happens(event::QualityChosen{kHigh});
  d.link_up(0, "wifi");
  d.happens(event::SegmentPublished{segment(0)});
  std::vector<std::string> asked;
  while (asked.size() < 6) {
    if (d.unanswered().empty()) {
      asked.emplace_back("pause");
      d.wait(500ms);
    }
    asked.push_back(file_of(d, *d.unanswered().begin()).substr(0, 4));
    d.fail(*d.unanswered().begin(), FailureReason::kNotFound);
  }
  EXPECT_EQ(asked, (std::vector<std::string>{"high", "pause", "high", "medi", "low/", "pause", "high"}));
  d.wait(500ms);
  EXPECT_EQ(d.all<action::StartSegment>().back().quality, kHigh) << "it may come yet, and then in every quality";
  EXPECT_TRUE(d.all<action::LeaveOut>().empty());
  d.answer_all();
  EXPECT_EQ(delivered(d)[0], kHigh);
}

TEST_F(SessionMissing, AQualityThatALiveOriginLacksIsLeftOut) {
  SessionDriver d{table(), testing::live_options(StreamingMode::kLiveBuffered, 3)};
  d.happens(event::QualityChosen{kHigh});
  d.link_up(0, "wifi");
  for (int i = 0; i < 8; ++i) missing.insert(fmt::format("high/{:05}.bin", i));
  for (int i = 0; i < 8; ++i) {
    d.happens(event::SegmentPublished{segment(i)});
    const TimePoint published = d.now();
    while (delivered(d).size() <= static_cast<std::size_t>(i)) {
      if (d.unanswered().empty()) d.wait(50ms);
      if (d.unanswered().empty()) continue;
      const RequestId id = *d.unanswered().begin();
      missing.contains(file_of(d, id)) ? d.fail(id, FailureReason::kNotFound) : d.answer(id);
      ASSERT_LT(d.now() - published, 1s) << i;
    }
    d.wait(published + 2s - d.now());
  }
  ASSERT_EQ(d.all<action::LeaveOut>().size(), 1U);
  EXPECT_EQ(d.all<action::LeaveOut>()[0].what, "the quality high is left out for 60 s");
  EXPECT_TRUE(d.all<action::SkipSegment>().empty());
}

}  // namespace
}  // namespace tributary
