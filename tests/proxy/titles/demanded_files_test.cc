#include "proxy/titles/demanded_files.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "nginx_server.hh"
#include "proxy/titles/media_store.hh"
#include "support/told_memory.hh"
#include "transport/sockets/rate_limit.hh"

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;
using Phase = IncomingFile::Phase;

std::string content(std::size_t size, char first) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(first + static_cast<char>(i * 7 % 101));
  return text;
}

/// Waits until the file is complete or has failed.
IncomingFile::Progress end_of(const IncomingFile& file) {
  for (int i = 0; i < 3000 && file.progress().phase == Phase::kComing; ++i) std::this_thread::sleep_for(10ms);
  return file.progress();
}

std::string text_of(const IncomingFile& file) {
  std::string text(static_cast<std::size_t>(file.progress().there.bytes()), '\0');
  text.resize(file.read(DataSize{}, std::as_writable_bytes(std::span{text})));
  return text;
}

class DemandedFilesTest : public ::testing::Test {
 protected:
  explicit DemandedFilesTest(const std::string& directives = {}) : nginx_{{.directives = directives}} {}

  std::string url(const std::string& name) const { return fmt::format("http://127.0.0.1:{}/{}", nginx_.port(), name); }

  NginxServer nginx_;
};

TEST_F(DemandedFilesTest, BytesAreThoseOfTheOriginWhateverWasEstimated) {
  nginx_.put("large.m4s", content(700'000, 'a'));
  nginx_.put("small.m4s", content(300, 'b'));
  DemandedFiles files{url("master.m3u8"), {}};
  const auto large = files.want({.url = url("large.m4s"), .estimate = DataSize{100'000}, .due_in = 0s});
  const auto small = files.want({.url = url("small.m4s"), .estimate = DataSize{500'000}, .due_in = std::nullopt});
  EXPECT_EQ(end_of(*large.file).phase, Phase::kComplete);
  EXPECT_EQ(end_of(*small.file).phase, Phase::kComplete);
  EXPECT_EQ(text_of(*large.file), content(700'000, 'a'));
  EXPECT_EQ(text_of(*small.file), content(300, 'b'));
  EXPECT_EQ(large.file->progress().size, DataSize{700'000});
  DataSize carried;
  for (const auto& [link, bytes] : files.carried()) carried += bytes;
  EXPECT_LE(carried, DataSize{800'000});
}

TEST_F(DemandedFilesTest, ARangeIsThatRange) {
  const std::string film = content(50'000, 'c');
  nginx_.put("film.mp4", film);
  DemandedFiles files{url("film.mpd"), {}};
  const auto range =
      files.want({.url = url("film.mp4"), .range = ByteRange{DataSize{1000}, DataSize{31'000}}, .due_in = 0s});
  EXPECT_EQ(end_of(*range.file).phase, Phase::kComplete);
  EXPECT_EQ(text_of(*range.file), film.substr(1000, 30'000));
}

TEST_F(DemandedFilesTest, OfALargeFileOnlyTheFrontComes) {
  const std::string film = content(3'000'000, 'g');
  nginx_.put("film.mp4", film);
  nginx_.put("key", content(16, 'k'));
  DemandedFiles files{url("film.mpd"), {}};
  for (const std::int64_t most : {1, 1000, 500'000}) {
    const auto front =
        files.want({.url = url("film.mp4"), .estimate = DataSize{most}, .at_most = DataSize{most}, .due_in = 0s});
    const auto end = end_of(*front.file);
    EXPECT_EQ(end.phase, Phase::kComplete);
    ASSERT_GE(end.size, DataSize{most});
    EXPECT_LE(end.size, DataSize{std::max<std::int64_t>(most * 5 / 4, 2)});
    EXPECT_EQ(end.whole, DataSize{3'000'000});
    EXPECT_EQ(text_of(*front.file), film.substr(0, static_cast<std::size_t>(end.size->bytes())));
  }
  const auto small = files.want({.url = url("key"), .at_most = DataSize{500'000}, .due_in = 0s});
  EXPECT_EQ(end_of(*small.file).size, DataSize{16});
  EXPECT_EQ(end_of(*small.file).whole, std::nullopt);
  DataSize carried;
  for (const auto& [link, bytes] : files.carried()) carried += bytes;
  EXPECT_LE(carried, DataSize{700'000});
}

TEST(DemandedFiles, LinksConnectBeforeTheFirstFileIsWanted) {
  const FaultyOrigin origin{[](const std::string&) { return FaultyOrigin::Reply{transport::partial_content(0, 100)}; }};
  const std::string url = fmt::format("http://127.0.0.1:{}/film.mpd", origin.port());
  DemandedFiles files{url, {.links = {"lo"}}};
  EXPECT_EQ(origin.connections(), 0);
  for (const int times : {1, 2}) {  // a player asks for more than one playlist
    files.expect();
    for (int i = 0; i < 1000 && origin.connections() == 0; ++i) std::this_thread::sleep_for(10ms);
    EXPECT_EQ(origin.connections(), 1) << times;
  }
  const auto file = files.want({.url = url, .range = ByteRange{DataSize{}, DataSize{100}}, .due_in = 0s});
  EXPECT_EQ(end_of(*file.file).phase, Phase::kComplete);
  EXPECT_EQ(origin.connections(), 1) << "the one that was there";
}

class WithoutRangesTest : public DemandedFilesTest {
 protected:
  WithoutRangesTest() : DemandedFilesTest{"max_ranges 0;"} {}
};

TEST_F(WithoutRangesTest, AnOriginThatKnowsNoRangesBringsAllOfIt) {
  const std::string film = content(3'000'000, 'g');
  nginx_.put("film.mp4", film);
  DemandedFiles files{url("film.mpd"), {}};
  const auto front = files.want({.url = url("film.mp4"), .at_most = DataSize{1000}, .due_in = 0s});
  const auto end = end_of(*front.file);
  EXPECT_EQ(end.size, DataSize{3'000'000});
  EXPECT_EQ(end.whole, std::nullopt);
  EXPECT_TRUE(text_of(*front.file) == film);
}

TEST_F(DemandedFilesTest, WhatIsNotThereFailsAloneAndTheRestComes) {
  nginx_.put("there.m4s", content(5000, 'd'));
  DemandedFiles files{url("master.m3u8"), {}};
  const auto missing = files.want({.url = url("missing.m4s"), .due_in = 0s});
  const auto there = files.want({.url = url("there.m4s"), .due_in = 1s});
  EXPECT_EQ(end_of(*there.file).phase, Phase::kComplete);
  const auto end = end_of(*missing.file);
  EXPECT_EQ(end.phase, Phase::kFailed);
  EXPECT_EQ(end.status, 404U);
}

TEST_F(DemandedFilesTest, WithoutAnOriginFilesFailAndLaterOnesAreTriedAnew) {
  DemandedFiles files{"http://nowhere.invalid/master.m3u8", {}};
  for (int i = 0; i < 2; ++i) {
    const auto wanted = files.want({.url = "http://nowhere.invalid/1.m4s", .due_in = 0s});
    const auto end = end_of(*wanted.file);
    EXPECT_EQ(end.phase, Phase::kFailed);
    EXPECT_EQ(end.status, 502U);
    EXPECT_NE(end.why, "");
  }
}

TEST_F(DemandedFilesTest, AtItsEndNobodyWaitsAnyLonger) {
  std::shared_ptr<IncomingFile> file;
  {
    DemandedFiles files{"http://127.0.0.1:1/master.m3u8", {}};
    file = files.want({.url = "http://127.0.0.1:1/1.m4s", .due_in = 0s}).file;
  }
  EXPECT_EQ(file->progress().phase, Phase::kFailed);
}

// ---- What is kept of files

using MediaStoreTest = DemandedFilesTest;

TEST_F(MediaStoreTest, AFileIsFetchedOnceForAllWhoReadIt) {
  nginx_.put("1.m4s", content(20'000, 'e'));
  DemandedFiles files{url("master.m3u8"), {}};
  MediaStore store{files};
  const auto first = store.read({.url = url("1.m4s"), .due_in = 0s});
  EXPECT_EQ(store.read({.url = url("1.m4s"), .due_in = 0s}), first);
  EXPECT_EQ(end_of(*first).phase, Phase::kComplete);
}

TEST_F(MediaStoreTest, WhatWasFetchedAheadIsThereWhenItIsAskedFor) {
  nginx_.put("2.m4s", content(20'000, 'f'));
  DemandedFiles files{url("master.m3u8"), {}};
  MediaStore store{files};
  store.fetch_ahead({.url = url("2.m4s")});
  for (int i = 0; i < 300 && files.carried().empty(); ++i) std::this_thread::sleep_for(10ms);
  const auto file = store.read({.url = url("2.m4s"), .due_in = 0s});
  EXPECT_EQ(end_of(*file).phase, Phase::kComplete);
  EXPECT_EQ(text_of(*file), content(20'000, 'f'));
}

TEST_F(MediaStoreTest, WhatNobodyReadsAnyMoreIsCalledOff) {
  DemandedFiles files{"http://127.0.0.1:1/master.m3u8", {}};  // nobody answers there
  MediaStore store{files};
  const auto first = store.read({.url = "http://127.0.0.1:1/1.m4s", .due_in = 0s});
  const auto again = store.read({.url = "http://127.0.0.1:1/1.m4s", .due_in = 0s});
  EXPECT_EQ(first, again);
  store.left(first);
  EXPECT_EQ(first->progress().phase, Phase::kComing);  // the other one reads on
  store.left(again);
  EXPECT_EQ(end_of(*first).phase, Phase::kFailed);
}

TEST_F(MediaStoreTest, AFileThatItsPlayerDoesNotReadWaitsForTheOthers) {
  const std::string bytes = content(500'000, 'g');
  nginx_.put("opened.m4s", bytes);
  nginx_.put("read.m4s", bytes);
  LinkWishes wishes;
  wishes.rules.rate_limit = std::make_shared<transport::RateLimit>(DataRate::bits_per_second(8e6));
  DemandedFiles files{url("master.m3u8"), std::move(wishes)};
  MediaStore store{files};
  const auto opened = store.read({.url = url("opened.m4s"), .estimate = DataSize{500'000}, .due_in = 0s});
  store.reads(opened, false);
  const auto read = store.read({.url = url("read.m4s"), .estimate = DataSize{500'000}, .due_in = 0s});
  EXPECT_EQ(end_of(*read).phase, Phase::kComplete);
  EXPECT_LT(opened->progress().received, DataSize{250'000});  // side by side, both would be there
  store.reads(opened, true);
  EXPECT_EQ(end_of(*opened).phase, Phase::kComplete);
  EXPECT_EQ(text_of(*opened), bytes);
}

// ---- Files that stand for each other

class LedFilesTest : public DemandedFilesTest {
 protected:
  static constexpr auto kLow = DataRate::bits_per_second(300e3), kHigh = DataRate::bits_per_second(2e6);

  LedFilesTest() {
    for (int i = 1; i <= 6; ++i) {
      nginx_.put(fmt::format("low-{}.ts", i), content(60'000, 'l'));
      nginx_.put(fmt::format("high-{}.ts", i), content(400'000, 'h'));
    }
  }
  WantedMedia segment(int number, Duration in_hand) const {
    const auto file = [&](const char* quality, std::int64_t estimate) {
      return Renditions::File{url(fmt::format("{}-{}.ts", quality, number)), {}, DataSize{estimate}};
    };
    WantedMedia wanted{.url = url(fmt::format("high-{}.ts", number)), .duration = 2s, .due_in = 2s};
    wanted.renditions = std::make_shared<Renditions>(std::vector{file("low", 70'000), file("high", 450'000)}, in_hand);
    return wanted;
  }
  static bool is_high(const std::shared_ptr<IncomingFile>& file) {
    EXPECT_EQ(end_of(*file).phase, Phase::kComplete);
    const std::string text = text_of(*file);
    EXPECT_TRUE(text == content(400'000, 'h') || text == content(60'000, 'l'));
    return text.size() == 400'000;
  }
};

TEST_F(LedFilesTest, TheFirstIsTheLowestAndWhatIsInHandAllowsMore) {
  DemandedFiles files{url("master.m3u8"), {}};
  files.lead({kLow, kHigh}, 0);
  MediaStore store{files};
  EXPECT_FALSE(is_high(store.read(segment(1, 0s))));
  bool high = false;
  for (int i = 2; i <= 6; ++i) high = is_high(store.read(segment(i, 10s)));
  EXPECT_TRUE(high);
}

TEST_F(LedFilesTest, TheFirstIsWhatIsRememberedOfTheLinks) {
  const auto memory = std::make_shared<testing::ToldMemory>();
  memory->known["network of lo"] = {DataRate::bits_per_second(100e6), 1ms};
  for (const bool sound_first : {false, true}) {
    DemandedFiles files{url("master.m3u8"), {.memory = memory}};
    files.lead({kLow, kHigh}, 0);
    if (sound_first) (void)files.want({.url = url("low-6.ts"), .due_in = 0s});
    EXPECT_TRUE(is_high(files.want(segment(1, 0s)).file)) << sound_first;
  }
}

TEST_F(LedFilesTest, AFileWithoutOthersComesAsItIsBetweenThem) {
  nginx_.put("sound.aac", content(500, 's'));
  DemandedFiles files{url("master.m3u8"), {}};
  files.lead({kLow, kHigh}, 0);
  const auto sound = files.want({.url = url("sound.aac"), .due_in = 0s});
  const auto picture = files.want(segment(1, 0s));
  EXPECT_EQ(end_of(*sound.file).size, DataSize{500});
  EXPECT_FALSE(is_high(picture.file));
}

TEST_F(LedFilesTest, WhatIsAskedForAgainHasTheSameBytes) {
  DemandedFiles files{url("master.m3u8"), {}};
  files.lead({kLow, kHigh}, 0);
  MediaStore store{files};
  EXPECT_FALSE(is_high(store.read(segment(1, 0s))));
  for (int i = 2; i <= 6; ++i) (void)is_high(store.read(segment(i, 10s)));
  EXPECT_FALSE(is_high(store.read(segment(1, 10s))));
}

TEST_F(LedFilesTest, WithoutAWordOfQualitiesTheAnnouncedOneComes) {
  DemandedFiles files{url("master.m3u8"), {}};
  EXPECT_TRUE(is_high(files.want(segment(1, 0s)).file));
}

TEST(RenditionsTest, StandForTheQualitiesOfASessionThatHasMoreOrFewer) {
  const Renditions three{{{"low", {}, {}}, {"middle", {}, {}}, {"high", {}, {}}}, {}};
  EXPECT_EQ(three.of_quality(0, 1).url, "high");
  EXPECT_EQ(three.of_quality(1, 3).url, "middle");
  EXPECT_EQ(three.of_quality(0, 2).url, "low");
  EXPECT_EQ(three.of_quality(1, 2).url, "high");
  EXPECT_EQ(three.of_quality(4, 5).url, "high");
  EXPECT_EQ(three.of_quality(1, 5).url, "low");
}

}  // namespace
}  // namespace tributary::proxy
