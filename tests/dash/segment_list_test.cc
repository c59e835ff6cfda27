#include "dash/segments/segment_list.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dash/bounds.hh"
#include "mpd_text.hh"

namespace tributary::dash {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Segments all_of(const std::string& text, std::size_t period = 0) {
  const Mpd mpd = read_mpd(text);
  return all_segments(mpd.periods.at(period), first_representation(mpd, period));
}

Segments in_ten_seconds(std::string_view addressing) { return all_of(static_text(addressing)); }

Segment segment(std::string uri, std::int64_t start, std::int64_t duration, std::int64_t number) {
  return {std::move(uri), std::nullopt, start, duration, number};
}

ByteRange bytes(std::int64_t begin, std::int64_t end) { return {DataSize{begin}, DataSize{end}}; }

std::vector<std::string> uris_of(const Segments& segments) {
  std::vector<std::string> uris;
  for (const Segment& each : segments.list) uris.push_back(each.uri);
  return uris;
}

TEST(AllSegments, ATemplateByDurationFillsThePeriod) {
  const Segments segments = in_ten_seconds(
      R"(<SegmentTemplate media="$RepresentationID$/$Number%03d$" initialization="$Bandwidth$.mp4" duration="4000"
         timescale="1000" startNumber="7"/>)");
  EXPECT_EQ(segments.timescale, 1'000u);
  EXPECT_EQ(segments.init, (FilePart{"1000000.mp4", {}}));
  EXPECT_THAT(segments.list, ElementsAre(segment("v/007", 0, 4'000, 7), segment("v/008", 4'000, 4'000, 8),
                                         segment("v/009", 8'000, 2'000, 9)));
}

Segment part_of(Segment segment, std::int64_t part, std::int64_t parts) {
  segment.part = part;
  segment.parts = parts;
  return segment;
}

TEST(AllSegments, APartOfASequenceIsAFile) {
  EXPECT_THAT(
      in_ten_seconds(R"(<SegmentTemplate media="$Number$_$SubNumber%02d$" duration="40" timescale="10" k="3"
                                startNumber="7" endNumber="7"/>)")
          .list,
      ElementsAre(part_of(segment("7_00", 0, 13'333, 7), 0, 3), part_of(segment("7_01", 13'333, 13'333, 7), 1, 3),
                  part_of(segment("7_02", 26'666, 13'334, 7), 2, 3)));
  // The last one ends with the period, in the middle of its sequence.
  EXPECT_THAT(uris_of(in_ten_seconds(R"(<SegmentTemplate media="$Number$_$SubNumber$" duration="4" k="4"/>)")),
              ElementsAre("1_0", "1_1", "1_2", "1_3", "2_0", "2_1", "2_2", "2_3", "3_0", "3_1"));
  EXPECT_THAT(in_ten_seconds(R"(<SegmentTemplate media="$Time$_$SubNumber$"><SegmentTimeline>
                                <S t="0" d="2" k="2"/><S d="8"/></SegmentTimeline></SegmentTemplate>)")
                  .list,
              ElementsAre(part_of(segment("0_0", 0, 1'000, 1), 0, 2), part_of(segment("0_1", 1'000, 1'000, 1), 1, 2),
                          segment("2_0", 2'000, 8'000, 2)));
  EXPECT_THAT(uris_of(in_ten_seconds(R"(<SegmentTemplate media="$Number$" duration="5" k="4"/>)")),
              ElementsAre("1", "2"));
}

/// Many templates state whole seconds, without a timescale.
TEST(AllSegments, PartsMayBeShorterThanATickOfTheirTemplate) {
  const Segments segments = in_ten_seconds(
      R"(<SegmentTemplate media="$Number$_$SubNumber$" duration="2" k="4" presentationTimeOffset="6" endNumber="1"/>)");
  EXPECT_EQ(segments.timescale, 1'000U);
  EXPECT_EQ(segments.presentation_time_offset, 6'000);
  EXPECT_THAT(segments.list,
              ElementsAre(part_of(segment("1_0", 6'000, 500, 1), 0, 4), part_of(segment("1_1", 6'500, 500, 1), 1, 4),
                          part_of(segment("1_2", 7'000, 500, 1), 2, 4), part_of(segment("1_3", 7'500, 500, 1), 3, 4)));
}

TEST(AllSegments, PartsHaveABound) {
  EXPECT_THROW(in_ten_seconds(R"(<SegmentTemplate media="$Number$_$SubNumber$" duration="5000000" timescale="1000000"
                                 k="100001"/>)"),
               MpdError);
  EXPECT_THROW(in_ten_seconds(R"(<SegmentTemplate media="$Number$_$SubNumber$" duration="5" k="5001"/>)"), MpdError);
}

TEST(AllSegments, PresentationTimeOffsetMovesTheMedia) {
  const Segments segments =
      in_ten_seconds(R"(<SegmentTemplate media="$Time$" duration="5" presentationTimeOffset="100"/>)");
  EXPECT_THAT(segments.list, ElementsAre(segment("100", 100, 5, 1), segment("105", 105, 5, 2)));
  EXPECT_EQ(segments.time_in_period(105), 5s);
}

TEST(AllSegments, EndNumberIsTheLastOne) {
  EXPECT_THAT(
      uris_of(in_ten_seconds(R"(<SegmentTemplate media="$Number$" duration="2" startNumber="5" endNumber="6"/>)")),
      ElementsAre("5", "6"));
  EXPECT_THAT(
      uris_of(in_ten_seconds(R"(<SegmentTemplate media="$Number$" duration="2" startNumber="5" endNumber="4"/>)")),
      IsEmpty());
  // It also bounds a period whose end is not stated.
  EXPECT_THAT(uris_of(all_of(mpd_text("", R"(<Period><AdaptationSet><Representation id="v"/>
      <SegmentTemplate media="$Number$" duration="2" endNumber="3"/></AdaptationSet></Period>)"))),
              ElementsAre("1", "2", "3"));
}

TEST(AllSegments, ASliverOfASegmentIsNone) {
  const auto segments = [](std::string_view duration) {
    return all_of(mpd_text(fmt::format("mediaPresentationDuration=\"{}\"", duration),
                           R"(<Period><AdaptationSet><Representation id="v"/>
      <SegmentTemplate media="$Number$" duration="2000000" timescale="1000000"/></AdaptationSet></Period>)"))
        .list;
  };
  EXPECT_THAT(segments("PT6.0009S"), SizeIs(3));
  EXPECT_THAT(segments("PT6.002S"), SizeIs(4));
  EXPECT_THAT(segments("PT0.0005S"), SizeIs(1));
  EXPECT_THAT(all_of(mpd_text(R"(mediaPresentationDuration="PT6.0009S")", R"(<Period><AdaptationSet>
      <Representation id="v"/><SegmentTemplate media="$Number$" timescale="1000000"><SegmentTimeline>
      <S d="2000000" r="-1"/></SegmentTimeline></SegmentTemplate></AdaptationSet></Period>)"))
                  .list,
              SizeIs(3));
}

TEST(AllSegments, ATimelineWithRepetitionsAndAHole) {
  const Segments segments = in_ten_seconds(R"(<SegmentTemplate media="$Time$-$Number$"><SegmentTimeline>
      <S t="0" d="2" r="1"/><S d="1"/><S t="7" d="2"/></SegmentTimeline></SegmentTemplate>)");
  EXPECT_THAT(segments.list, ElementsAre(segment("0-1", 0, 2, 1), segment("2-2", 2, 2, 2), segment("4-3", 4, 1, 3),
                                         segment("7-4", 7, 2, 4)));
}

TEST(AllSegments, ATimelineOfAPatternBeginsAnywhereInIt) {
  const Segments segments = in_ten_seconds(R"(<SegmentTemplate media="$Time$" timescale="1000"><SegmentTimeline>
      <Pattern id="7"><P d="1001" r="1"/><P d="998"/></Pattern>
      <S t="0" p="7" r="4" pE="1"/><S d="2000"/></SegmentTimeline></SegmentTemplate>)");
  EXPECT_THAT(uris_of(segments), ElementsAre("0", "1001", "1999", "3000", "4001", "4999"));
  EXPECT_EQ(segments.list.back(), segment("4999", 4'999, 2'000, 6));
}

TEST(AllSegments, ARepetitionWithoutANumberGoesOnToTheNextS) {
  EXPECT_THAT(in_ten_seconds(R"(<SegmentTemplate media="$Time$"><SegmentTimeline>
      <S t="0" d="2" r="-1"/><S t="5" d="3" r="-1"/></SegmentTimeline></SegmentTemplate>)")
                  .list,
              ElementsAre(segment("0", 0, 2, 1), segment("2", 2, 2, 2), segment("4", 4, 1, 3), segment("5", 5, 3, 4),
                          segment("8", 8, 3, 5)));
}

TEST(AllSegments, ASegmentThatReachesOverTheNextOneEndsThere) {
  EXPECT_THAT(in_ten_seconds(R"(<SegmentTemplate media="$Time$"><SegmentTimeline>
      <S t="0" d="3" r="1"/><S t="5" d="3"/></SegmentTimeline></SegmentTemplate>)")
                  .list,
              ElementsAre(segment("0", 0, 3, 1), segment("3", 3, 2, 2), segment("5", 5, 3, 3)));
}

TEST(AllSegments, ATimelineMayBeginBeforeAndEndAfterThePeriod) {
  const Segments segments = in_ten_seconds(R"(<SegmentTemplate media="$Time$" presentationTimeOffset="100">
      <SegmentTimeline><S t="90" d="4" r="99"/></SegmentTimeline></SegmentTemplate>)");
  // 98 to 102 is the first that reaches into the period; numbers count from the first of the list.
  EXPECT_THAT(segments.list,
              ElementsAre(segment("98", 98, 4, 3), segment("102", 102, 4, 4), segment("106", 106, 4, 5)));
  EXPECT_EQ(segments.time_in_period(98), -2s);
}

TEST(AllSegments, AListHasRangesOrFiles) {
  EXPECT_THAT(in_ten_seconds(R"(<SegmentList duration="4"><Initialization range="0-99"/>
      <SegmentURL mediaRange="100-299"/><SegmentURL mediaRange="300-399"/><SegmentURL mediaRange="400-"/>
      </SegmentList>)")
                  .list,
              ElementsAre(Segment{"", bytes(100, 300), 0, 4, 1}, Segment{"", bytes(300, 400), 4, 4, 2},
                          Segment{"", ByteRange{DataSize{400}, kEndOfFile}, 8, 2, 3}));
  EXPECT_THAT(in_ten_seconds(R"(<SegmentList><SegmentTimeline><S t="3" d="2" r="9"/></SegmentTimeline>
      <SegmentURL media="a"/><SegmentURL media="b"/></SegmentList>)")
                  .list,
              ElementsAre(segment("a", 3, 2, 1), segment("b", 5, 2, 2)));
  EXPECT_THAT(in_ten_seconds(R"(<SegmentList><SegmentURL media="all.mp4"/></SegmentList>)").list,
              ElementsAre(segment("all.mp4", 0, 10, 1)));
}

TEST(AllSegments, OneSegmentIsAsLongAsThePeriod) {
  EXPECT_THAT(in_ten_seconds("").list, ElementsAre(segment("", 0, 10'000, 1)));
  EXPECT_THAT(in_ten_seconds(R"(<SegmentTemplate media="$RepresentationID$.vtt" timescale="1000"/>)").list,
              ElementsAre(segment("v.vtt", 0, 10'000, 1)));
}

TEST(AllSegments, AnEndThatIsNotKnownIsRefused) {
  const auto refused = [](std::string_view addressing) {
    return testing::refusal_by<MpdError>([&] {
      all_of(mpd_text(
          "", fmt::format("<Period><AdaptationSet><Representation id=\"v\"/>{}</AdaptationSet></Period>", addressing)));
    });
  };
  const std::string why =
      "line 2, Period[0]/AdaptationSet[0]/Representation[0]: the number of its segments is not known, as the end of the "
      "period is not";
  EXPECT_EQ(refused(R"(<SegmentTemplate media="$Number$" duration="2"/>)"), why);
  EXPECT_EQ(
      refused(R"(<SegmentTemplate media="$Number$"><SegmentTimeline><S d="1" r="3"/><S d="2" r="-1"/></SegmentTimeline>
      </SegmentTemplate>)"),
      why);
  EXPECT_EQ(refused(""), why);
  EXPECT_EQ(refused(R"(<SegmentBase indexRange="0-9"/>)"),
            "line 2, Period[0]/AdaptationSet[0]/Representation[0]: its index lists the segments, and was not read");
}

TEST(AllSegments, HostileNumbersAreRefused) {
  const auto refused = [](std::string_view addressing) {
    return testing::refusal_by<MpdError>([&] {
      all_of(mpd_text(
          "mediaPresentationDuration=\"P99Y\"",
          fmt::format("<Period><AdaptationSet><Representation id=\"v\"/>{}</AdaptationSet></Period>", addressing)));
    });
  };
  EXPECT_THAT(refused(R"(<SegmentTemplate media="$Number$" duration="1" timescale="1000000000"/>)"),
              EndsWith("it has more than 200000 segments"));
  EXPECT_THAT(refused(R"(<SegmentTemplate media="$Number$" timescale="1000000000"><SegmentTimeline><S d="1" r="-1"/>
      </SegmentTimeline></SegmentTemplate>)"),
              EndsWith("it has more than 200000 segments"));
  EXPECT_THAT(refused(fmt::format(R"(<SegmentTemplate media="{}$Number$"><SegmentTimeline><S d="1" r="199999"/>
      </SegmentTimeline></SegmentTemplate>)",
                                  std::string(4'000, 'x'))),
              EndsWith("the names of its segments take too much memory"));
  EXPECT_THAT(refused(fmt::format(R"(<SegmentTemplate media="{}$Number%032d$" duration="99999999999"/>)",
                                  std::string(8'170, 'x'))),
              EndsWith("the name of a segment becomes longer than 8192 bytes"));
}

// ---- live ------------------------------------------------------------------------------------------------------

constexpr std::string_view kStart = "2026-01-01T00:00:00Z";
const UtcTime kOrigin = *utc_from(kStart);

std::string live_text(std::string_view attributes, std::string_view period, std::string_view addressing) {
  return mpd_text(fmt::format("type=\"dynamic\" availabilityStartTime=\"{}\" {}", kStart, attributes),
                  fmt::format("<Period {}><AdaptationSet><Representation id=\"v\"/>{}</AdaptationSet></Period>", period,
                              addressing));
}

struct Live {
  std::vector<std::string> uris;
  std::optional<std::chrono::milliseconds> next;  // after availabilityStartTime

  bool operator==(const Live&) const = default;
};

/// `now`: after availabilityStartTime.
Live live(const std::string& text, std::chrono::milliseconds now) {
  const Mpd mpd = read_mpd(text);
  const auto [segments, next] = available_segments(mpd, mpd.periods.at(0), first_representation(mpd), kOrigin + now);
  return {uris_of(segments), next ? std::optional{*next - kOrigin} : std::nullopt};
}

using Uris = std::vector<std::string>;

constexpr std::string_view kTwoSeconds = R"(<SegmentTemplate media="$Number$" duration="2" startNumber="0"/>)";

TEST(AvailableSegments, ASegmentIsThereOnceItIsComplete) {
  const std::string text = live_text("", "start=\"PT10S\"", kTwoSeconds);
  EXPECT_EQ(live(text, 0s), (Live{{}, 12s}));
  EXPECT_EQ(live(text, 11'999ms), (Live{{}, 12s}));
  EXPECT_EQ(live(text, 12s), (Live{{"0"}, 14s}));
  EXPECT_EQ(live(text, 17'500ms), (Live{{"0", "1", "2"}, 18s}));
}

TEST(AvailableSegments, TheTimeShiftBufferBoundsThem) {
  const std::string text = live_text("timeShiftBufferDepth=\"PT5S\"", "start=\"PT0S\"", kTwoSeconds);
  // At 20 s: what ends after 15 s, that is from segment 7 (14 to 16 s) on.
  EXPECT_EQ(live(text, 20s), (Live{{"7", "8", "9"}, 22s}));
  EXPECT_EQ(live(text, 1h), (Live{{"1797", "1798", "1799"}, 1h + 2s}));
}

TEST(AvailableSegments, AvailabilityTimeOffsetMakesThemEarlier) {
  const std::string text = live_text("timeShiftBufferDepth=\"PT4S\"", "start=\"PT0S\"",
                                     R"(<SegmentTemplate media="$Number$" duration="2" startNumber="0"
                                        availabilityTimeOffset="1.5" availabilityTimeComplete="false"/>)");
  EXPECT_EQ(live(text, 0s), (Live{{}, 500ms}));
  EXPECT_EQ(live(text, 10s), (Live{{"3", "4"}, 10'500ms}));
  EXPECT_EQ(live(text, 10'500ms), (Live{{"3", "4", "5"}, 12'500ms}));
}

TEST(AvailableSegments, APeriodThatEndsHasALastSegment) {
  const std::string text = live_text("", R"(start="PT0S" duration="PT5S")", kTwoSeconds);
  EXPECT_EQ(live(text, 4s), (Live{{"0", "1"}, 5s}));
  EXPECT_EQ(live(text, 5s), (Live{{"0", "1", "2"}, std::nullopt}));
  EXPECT_EQ(live(text, 24h), (Live{{"0", "1", "2"}, std::nullopt}));
}

TEST(AvailableSegments, AnEpochOfYearsAgoCostsNothing) {
  const std::string text =
      mpd_text(R"(type="dynamic" availabilityStartTime="1970-01-01T00:00:00Z" timeShiftBufferDepth="PT4S")",
               R"(<Period start="PT0S"><AdaptationSet><Representation id="v"/>
                                       <SegmentTemplate media="$Number$" duration="2" startNumber="0"/>
                                       </AdaptationSet></Period>)");
  const Mpd mpd = read_mpd(text);
  const auto found = available_segments(mpd, mpd.periods[0], first_representation(mpd), UtcTime{1'767'225'600s});
  EXPECT_EQ(uris_of(found.segments), (Uris{"883612798", "883612799"}));
}

TEST(AvailableSegments, WithoutATimeShiftBufferTheLastOnesOfMany) {
  const Mpd mpd = read_mpd(live_text("", "start=\"PT0S\"", kTwoSeconds));
  const auto found = available_segments(mpd, mpd.periods[0], first_representation(mpd), kOrigin + 24h * 365);
  EXPECT_THAT(found.segments.list, SizeIs(kMostSegments));
  EXPECT_EQ(found.segments.list.back().uri, "15767999");
}

TEST(AvailableSegments, OfATimelineThoseThatAreComplete) {
  const std::string text = live_text("timeShiftBufferDepth=\"PT6S\"", "start=\"PT0S\"", R"(
      <SegmentTemplate media="$Time$" timescale="10"><SegmentTimeline><S t="0" d="20" r="9"/></SegmentTimeline>
      </SegmentTemplate>)");
  EXPECT_EQ(live(text, 11s), (Live{{"40", "60", "80"}, 12s}));
  // Listed up to 20 s: then the next one is expected as long as the last.
  EXPECT_EQ(live(text, 20s), (Live{{"140", "160", "180"}, 22s}));
  EXPECT_EQ(live(text, 22s), (Live{{"160", "180"}, 22s}));
  // Overdue: the MPD is asked for at once. An encoder that has fallen behind the clock still shows what it lists.
  EXPECT_EQ(live(text, 30s), (Live{{"140", "160", "180"}, 30s}));
}

TEST(AvailableSegments, ATimelineAheadOfTheClockIsThere) {
  const auto text = [](std::string_view period) {
    return live_text("timeShiftBufferDepth=\"PT6S\"", period, R"(
      <SegmentTemplate media="$Time$" timescale="10"><SegmentTimeline><S t="200" d="20" r="2"/></SegmentTimeline>
      </SegmentTemplate>)");
  };
  EXPECT_EQ(live(text("start=\"PT0S\""), 10s), (Live{{"200", "220", "240"}, 28s}));
  // By less than a segment: it may still be on its way. A period that has not begun, or that ends: nothing drifts.
  EXPECT_EQ(live(text("start=\"PT0S\""), 19s), (Live{{}, 22s}));
  EXPECT_EQ(live(text("start=\"PT20S\""), 10s), (Live{{}, 42s}));
  EXPECT_EQ(live(text("start=\"PT0S\" duration=\"PT1M\""), 10s), (Live{{}, 22s}));
}

TEST(AvailableSegments, APublishTimeTellsOfAClockThatIsBehind) {
  const std::string text =
      live_text(R"(timeShiftBufferDepth="PT4S" publishTime="2026-01-01T00:00:20Z")", "start=\"PT10S\"", kTwoSeconds);
  EXPECT_EQ(live(text, 0s), (Live{{"3", "4"}, 22s}));
  EXPECT_EQ(live(text, 12s), (Live{{"0"}, 14s}));
  EXPECT_EQ(live(text, -24h), (Live{{}, 12s}));  // by more than a day: no clock is so wrong
}

TEST(AvailableSegments, OfThoseThatAreAlwaysThereTheNextMinutes) {
  const std::string text = live_text("timeShiftBufferDepth=\"PT4S\"", "start=\"PT0S\"",
                                     R"(<SegmentTemplate media="$Number$" duration="2" startNumber="0"
                                        availabilityTimeOffset="INF"/>)");
  const Live found = live(text, 20s);
  EXPECT_EQ(found.uris.front(), "8");
  EXPECT_EQ(found.uris.back(), "309");  // it ends ten minutes from now
  EXPECT_EQ(found.next, 22s);
}

TEST(AvailableSegments, ATimelineThatFillsItsPeriodHasNoNextOne) {
  const auto text = [](std::string_view duration) {
    return live_text("", fmt::format("start=\"PT0S\" duration=\"{}\"", duration), R"(
      <SegmentTemplate media="$Time$"><SegmentTimeline><S t="0" d="2" r="1"/></SegmentTimeline></SegmentTemplate>)");
  };
  EXPECT_EQ(live(text("PT4.0005S"), 10s), (Live{{"0", "2"}, std::nullopt}));
  EXPECT_EQ(live(text("PT5S"), 4s), (Live{{"0", "2"}, 6s}));
}

TEST(AvailableSegments, ARepetitionWithoutANumberGoesOnToNow) {
  const std::string text = live_text("timeShiftBufferDepth=\"PT3S\"", "start=\"PT0S\"", R"(
      <SegmentTemplate media="$Time$"><SegmentTimeline><S t="0" d="3"/><S d="2" r="-1"/></SegmentTimeline>
      </SegmentTemplate>)");
  EXPECT_EQ(live(text, 4s), (Live{{"0"}, 5s}));
  EXPECT_EQ(live(text, 1001s), (Live{{"997", "999"}, 1003s}));
}

TEST(AvailableSegments, APeriodThatIsAvailableEarlyHasNone) {
  const Mpd mpd = read_mpd(mpd_text("type=\"dynamic\"", R"(<Period start="PT0S"/><Period><AdaptationSet>
      <Representation id="v"/><SegmentTemplate media="$Number$" duration="2"/></AdaptationSet></Period>)"));
  const auto found = available_segments(mpd, mpd.periods[1], first_representation(mpd, 1), kOrigin);
  EXPECT_THAT(found.segments.list, IsEmpty());
  EXPECT_EQ(found.next, std::nullopt);
}

TEST(AvailableSegments, OfAStaticMpdAll) {
  const Mpd mpd = read_mpd(static_text(kTwoSeconds));
  const auto found = available_segments(mpd, mpd.periods[0], first_representation(mpd), UtcTime{});
  EXPECT_THAT(found.segments.list, SizeIs(5));
  EXPECT_EQ(found.next, std::nullopt);
}

TEST(AvailableSegments, ExtremeTimesAreHarmless) {
  for (const std::string_view ato : {"INF", "-1e300", "1e300", "0"}) {
    const Mpd mpd = read_mpd(live_text(
        "timeShiftBufferDepth=\"P99Y\"", "start=\"P99Y\"",
        fmt::format(
            R"(<SegmentTemplate media="$Number$" duration="{}" timescale="1000000000" presentationTimeOffset="{}"
                       availabilityTimeOffset="{}"/>)",
            kMostLength, kMostTicks, ato)));
    for (const UtcTime now : {UtcTime{}, UtcTime{24h * 100'000}, UtcTime{-24h * 100'000}}) {
      const auto found = available_segments(mpd, mpd.periods[0], first_representation(mpd), now);
      for (const Segment& each : found.segments.list) EXPECT_GE(each.start, kMostTicks);
    }
  }
}

// ---- an index --------------------------------------------------------------------------------------------------

TEST(IndexedSegments, AreThoseOfTheIndexInItsTicks) {
  const IndexedAddressing addressing{.timescale = 1'000,
                                     .presentation_time_offset = 2'000,
                                     .index = {"", bytes(100, 200)},
                                     .init = FilePart{"", bytes(0, 100)}};
  const std::vector<IndexedPart> index{{bytes(200, 900), 180'000, 90'000}, {bytes(900, 1'000), 270'000, 45'000}};
  const Segments segments = indexed_segments(addressing, 90'000, index);
  EXPECT_EQ(segments.presentation_time_offset, 180'000);
  EXPECT_EQ(segments.init, (FilePart{"", bytes(0, 100)}));
  EXPECT_THAT(segments.list, ElementsAre(Segment{"", bytes(200, 900), 180'000, 90'000, 1},
                                         Segment{"", bytes(900, 1'000), 270'000, 45'000, 2}));
  EXPECT_EQ(segments.time_in_period(270'000), 1s);
}

}  // namespace
}  // namespace tributary::dash
