#include "gst/source/multilink_source.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "source_pipeline.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using testing::defects;
using testing::DirectoryPlan;
using testing::ShownPicture;
using testing::SourcePipeline;

constexpr unsigned kSegments = 250, kPicturesPerSegment = 10, kPictures = kSegments * kPicturesPerSegment;
constexpr Duration kPatience = 180s;

DirectoryPlan film() { return {.directory = TRIBUTARY_MARKED_FILM}; }
/// The same in MPEG-TS. Its times begin again from zero in the middle, and qualities have different PIDs.
DirectoryPlan transport_streams() {
  DirectoryPlan plan = film();
  plan.transport_streams = true;
  return plan;
}

/// All switches between four qualities, again and again.
std::size_t switching(std::size_t segment) {
  constexpr std::array<std::size_t, 13> kAllSwitches{0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 0};
  return kAllSwitches[segment % kAllSwitches.size()];
}

void expect_switches_without_a_trace(DirectoryPlan plan) {
  plan.quality = switching;
  SourcePipeline pipeline{std::move(plan)};
  ASSERT_TRUE(pipeline.play(kPatience));
  EXPECT_EQ(pipeline.warnings(), std::vector<std::string>{});
  EXPECT_EQ(defects(pipeline.pictures(), 0, kPictures - 1, kPicturesPerSegment, switching), "");
  const testing::SoundMarks sound = pipeline.sound();
  EXPECT_EQ(sound.breaks().size(), 0u);
  EXPECT_LE(sound.largest_gap(), 1us);
  EXPECT_NEAR(static_cast<double>(sound.samples()), 100 * 48000, 1024);
  ASSERT_EQ(sound.ticks().size(), 100u);
  for (std::size_t i = 0; i < sound.ticks().size(); ++i)
    EXPECT_NEAR(to_seconds(sound.ticks()[i]), static_cast<double>(i), 0.020);
}

TEST(MultilinkSource, SwitchesQualityWithoutATrace) { expect_switches_without_a_trace(film()); }
TEST(MultilinkSource, SwitchesQualityOfTransportStreamsWithoutATrace) {
  expect_switches_without_a_trace(transport_streams());
}

std::vector<unsigned> frames_of(const std::vector<ShownPicture>& pictures) {
  std::vector<unsigned> frames;
  for (const ShownPicture& picture : pictures) frames.push_back(picture.mark ? picture.mark->frame : ~0u);
  return frames;
}

std::vector<unsigned> from_to(unsigned first, unsigned last) {
  std::vector<unsigned> frames;
  for (unsigned frame = first; frame <= last; ++frame) frames.push_back(frame);
  return frames;
}

void expect_seeks_to_the_very_picture(DirectoryPlan plan) {
  plan.quality = switching;
  SourcePipeline pipeline{std::move(plan)};
  pipeline.set_playing(false);
  ASSERT_TRUE(pipeline.settled(kPatience));
  EXPECT_EQ(pipeline.still()->frame, 0u);
  std::minstd_rand random{1};
  for (int i = 0; i < 30; ++i) {
    const Duration position = std::chrono::milliseconds{random() % 100000};
    ASSERT_TRUE(pipeline.seek(position));
    ASSERT_TRUE(pipeline.settled(kPatience)) << to_seconds(position);
    ASSERT_TRUE(pipeline.still());
    EXPECT_EQ(pipeline.still()->frame, position / 40ms) << to_seconds(position);
  }
}

TEST(MultilinkSource, ASeekShowsTheVeryPicture) { expect_seeks_to_the_very_picture(film()); }
TEST(MultilinkSource, ASeekInTransportStreamsShowsTheVeryPicture) {
  expect_seeks_to_the_very_picture(transport_streams());
}

/// The first segment tells where the title begins, wherever it is.
TEST(MultilinkSource, TransportStreamsBeginWhereItIsTold) {
  SourcePipeline::Options options;
  options.source.start = 98020ms;
  SourcePipeline pipeline{transport_streams(), options};
  ASSERT_TRUE(pipeline.play(kPatience));
  EXPECT_EQ(frames_of(pipeline.pictures()), from_to(2450, kPictures - 1));
}

TEST(MultilinkSource, ASeekToAKeyUnitShowsTheFirstPictureOfTheSegment) {
  SourcePipeline pipeline{film()};
  pipeline.set_playing(false);
  ASSERT_TRUE(pipeline.settled(kPatience));
  ASSERT_TRUE(pipeline.seek(12345ms, 1, GST_SEEK_FLAG_KEY_UNIT));
  ASSERT_TRUE(pipeline.settled(kPatience));
  EXPECT_EQ(pipeline.still()->frame, 300u);
}

TEST(MultilinkSource, PlaysOnFromASeekToTheEnd) {
  SourcePipeline pipeline{film()};
  pipeline.set_playing(false);
  ASSERT_TRUE(pipeline.settled(kPatience));
  ASSERT_TRUE(pipeline.seek(97s, 2));
  ASSERT_TRUE(pipeline.settled(kPatience));
  pipeline.forget();
  ASSERT_TRUE(pipeline.play(kPatience));
  const auto pictures = pipeline.pictures();
  EXPECT_EQ(frames_of(pictures), from_to(2425, kPictures - 1));
  EXPECT_EQ(pictures.back().running, 74 * 40ms / 2);  // at twice the speed
}

TEST(MultilinkSource, BeginsWhereItIsTold) {
  SourcePipeline::Options options;
  options.source.start = 98020ms;
  SourcePipeline pipeline{film(), options};
  ASSERT_TRUE(pipeline.play(kPatience));
  EXPECT_EQ(frames_of(pipeline.pictures()), from_to(2450, kPictures - 1));
}

TEST(MultilinkSource, NamesOfStreamsDoNotTellTheAddress) {
  SourcePipeline pipeline{film()};
  pipeline.set_playing(false);
  ASSERT_TRUE(pipeline.settled(kPatience));
  const GstHandle<GstElement> source{gst_bin_get_by_name(GST_BIN(pipeline.element()), "source")};
  std::set<std::string> names;
  for (const char* track : {"video_0", "audio_0"}) {
    const GstHandle<GstPad> pad{gst_element_get_static_pad(source.get(), track)};
    names.insert(GlibString{gst_pad_get_stream_id(pad.get())}.get());
  }
  EXPECT_EQ(names.size(), 2u);
  for (const std::string& name : names) EXPECT_THAT(name, ::testing::Not(::testing::HasSubstr("directory")));
}

TEST(MultilinkSource, ASkipJoinsWhatIsBeforeAndBehindIt) {
  DirectoryPlan plan = film();
  plan.quality = switching;
  plan.skipped = {3, 4, 5, 10};
  plan.most = 20;
  SourcePipeline pipeline{plan};
  ASSERT_TRUE(pipeline.play(kPatience));
  const auto pictures = pipeline.pictures();
  auto expected = from_to(0, 29);
  for (const unsigned frame : from_to(60, 99)) expected.push_back(frame);
  for (const unsigned frame : from_to(110, 199)) expected.push_back(frame);
  ASSERT_EQ(frames_of(pictures), expected);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    EXPECT_EQ(pictures[i].at, pictures[i].mark->frame * 40ms);
    EXPECT_EQ(pictures[i].running, i * 40ms);
  }
}

TEST(MultilinkSource, ASteeredSpeedChangesWithoutATrace) {
  DirectoryPlan plan = film();
  plan.most = 20;
  plan.speed = [](std::size_t segment) { return 1 + 0.01 * (static_cast<double>(segment / 2 % 7) - 3); };
  SourcePipeline pipeline{plan};
  ASSERT_TRUE(pipeline.play(kPatience));
  const auto pictures = pipeline.pictures();
  ASSERT_EQ(frames_of(pictures), from_to(0, 199));
  double running = 0;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    EXPECT_EQ(pictures[i].at, i * 40ms);
    EXPECT_NEAR(to_seconds(pictures[i].running), running, 1e-6) << i;
    running += 0.04 / plan.speed(i / kPicturesPerSegment);
  }
  const testing::SoundMarks sound = pipeline.sound();
  EXPECT_EQ(sound.breaks().size(), 0u);
  EXPECT_LE(sound.largest_gap(), 1us);
  EXPECT_NEAR(static_cast<double>(sound.samples()), 8 * 48000, 1024);
}

void cut_in_half(MediaBytes& bytes) { bytes.resize(bytes.size() / 2); }
void zero_the_middle(MediaBytes& bytes) {
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 3),
            bytes.begin() + static_cast<std::ptrdiff_t>(2 * bytes.size() / 3), std::byte{0});
}
void zero_all(MediaBytes& bytes) { std::fill(bytes.begin(), bytes.end(), std::byte{0}); }

void expect_damage_does_not_stop(DirectoryPlan plan) {
  for (const auto damage : {cut_in_half, zero_the_middle, zero_all}) {
    plan.most = 20;
    plan.damage = [&](std::size_t segment, TrackKind kind, MediaBytes& bytes) {
      if (segment == 5 || (segment == 9 && kind == TrackKind::kAudio) || segment == 19) damage(bytes);
    };
    SourcePipeline pipeline{plan};
    ASSERT_TRUE(pipeline.play(kPatience)) << pipeline.errors().at(0);
    const auto frames = frames_of(pipeline.pictures());
    for (const auto& [first, last] : {std::pair{0u, 49u}, std::pair{60u, 189u}}) {
      for (unsigned frame = first; frame <= last; ++frame)
        EXPECT_EQ(std::count(frames.begin(), frames.end(), frame), 1) << frame;
    }
  }
}

TEST(MultilinkSource, ADamagedSegmentDoesNotStopIt) { expect_damage_does_not_stop(film()); }
TEST(MultilinkSource, ADamagedTransportStreamDoesNotStopIt) { expect_damage_does_not_stop(transport_streams()); }

TEST(MultilinkSource, ADamagedFirstSegmentIsPassedOver) {
  DirectoryPlan plan = transport_streams();
  plan.most = 10;
  plan.damage = [](std::size_t segment, TrackKind, MediaBytes& bytes) {
    if (segment == 0) zero_all(bytes);
  };
  SourcePipeline pipeline{plan};
  ASSERT_TRUE(pipeline.play(kPatience)) << pipeline.errors().at(0);
  EXPECT_EQ(frames_of(pipeline.pictures()), from_to(10, 99));
  EXPECT_GT(pipeline.sound().samples(), 3 * 48000u);
}

/// The decoder of the sound cannot be another one in the middle.
TEST(MultilinkSource, SoundOfAnotherCodecIsPassedOver) {
  DirectoryPlan plan = transport_streams();
  plan.most = 10;
  plan.damage = [](std::size_t segment, TrackKind, MediaBytes& bytes) {
    if (segment != 5) return;
    constexpr std::array<unsigned char, 6> kAc3{0x0b, 0x77, 0x48, 0x0d, 0x0c, 0x40};  // 96 kbit/s, 48 kHz
    bytes.assign(12 * 384, std::byte{0});
    for (std::size_t at = 0; at < bytes.size(); at += 384)
      std::ranges::copy(std::as_bytes(std::span{kAc3}), bytes.begin() + static_cast<std::ptrdiff_t>(at));
  };
  SourcePipeline pipeline{plan};
  ASSERT_TRUE(pipeline.play(kPatience)) << pipeline.errors().at(0);
  EXPECT_THAT(pipeline.warnings(), ::testing::ElementsAre(::testing::HasSubstr("its codec is another one")));
  EXPECT_THAT(frames_of(pipeline.pictures()), ::testing::SizeIs(90));
}

TEST(MultilinkSource, WhatHoldsNeitherPictureNorSoundIsAnError) {
  DirectoryPlan plan = transport_streams();
  plan.most = 5;
  plan.damage = [](std::size_t, TrackKind, MediaBytes& bytes) { zero_all(bytes); };
  SourcePipeline pipeline{plan};
  EXPECT_FALSE(pipeline.play(kPatience));
  EXPECT_THAT(pipeline.errors(), ::testing::ElementsAre(::testing::HasSubstr("neither MPEG-TS")));
}

TEST(MultilinkSource, AMissingPartIsPassedOver) {
  DirectoryPlan plan = film();
  plan.most = 10;
  plan.damage = [](std::size_t segment, TrackKind kind, MediaBytes& bytes) {
    if (kind == TrackKind::kAudio ? segment < 3 : segment == 9) bytes.clear();
  };
  SourcePipeline pipeline{plan};
  ASSERT_TRUE(pipeline.play(kPatience));
  EXPECT_EQ(frames_of(pipeline.pictures()), from_to(0, 89));
  EXPECT_FALSE(pipeline.warnings().empty());
  EXPECT_NE(pipeline.warnings().front().find("segment 0 of audio: the segment has no sample"), std::string::npos)
      << pipeline.warnings().front();
}

TEST(MultilinkSource, ReachesTheEndEachTime) {
  DirectoryPlan plan = film();
  plan.most = 2;
  for (int i = 0; i < 100; ++i) {
    SourcePipeline pipeline{plan};
    ASSERT_TRUE(pipeline.play(kPatience)) << i;
    ASSERT_EQ(frames_of(pipeline.pictures()), from_to(0, 19)) << i;
  }
}

TEST(MultilinkSource, SurvivesWhateverIsDoneToIt) {
  std::minstd_rand random{1};
  DirectoryPlan plan = film();
  plan.quality = switching;
  SourcePipeline::Options options;
  options.real_time = true;
  SourcePipeline pipeline{plan, options};
  for (int i = 0; i < 120; ++i) {
    switch (random() % 6) {
      case 0:
        pipeline.set_playing(true);
        break;
      case 1:
        pipeline.set_playing(false);
        break;
      case 2:
        gst_element_set_state(pipeline.element(), GST_STATE_READY);
        break;
      case 3:
        std::this_thread::sleep_for(std::chrono::milliseconds{random() % 30});
        break;
      default:
        pipeline.seek(std::chrono::milliseconds{random() % 100000}, 0.5 + static_cast<double>(random() % 4) / 2);
    }
  }
  pipeline.set_playing(false);
  ASSERT_TRUE(pipeline.settled(kPatience));
  ASSERT_TRUE(pipeline.seek(99s));
  ASSERT_TRUE(pipeline.settled(kPatience));
  EXPECT_EQ(pipeline.still()->frame, 2475u);
  ASSERT_TRUE(pipeline.play(kPatience));
}

struct Seek {
  double speed;
  GstFormat format;
  int flags;
  GstSeekType from;
  gint64 start;
};
/// Whatever an application may ask for; most of it is refused.
constexpr std::array<Seek, 10> kSeeks{
    {{1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, GST_SEEK_TYPE_SET, 0},
     {2, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_TYPE_SET, 999},
     {0.5, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_NONE, 0},
     {1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, G_MAXINT64},
     {1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, G_MININT64},
     {1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_END, -1},
     {-1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0},
     {1e9, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0},
     {1, GST_FORMAT_BYTES, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0},
     {1, GST_FORMAT_TIME, 0, GST_SEEK_TYPE_SET, 0}}};

void ask_everything(GstElement* source) {
  gint64 time = 0;
  gst_element_query_position(source, GST_FORMAT_TIME, &time);
  EXPECT_GE(time, 0);
  gst_element_query_duration(source, GST_FORMAT_TIME, &time);
  gst_element_query_duration(source, GST_FORMAT_BYTES, &time);
  const GstHandle<GstQuery> seeking{gst_query_new_seeking(GST_FORMAT_TIME)};
  gst_element_query(source, seeking.get());
  const GstHandle<GstQuery> uri{gst_query_new_uri()};
  gst_element_query(source, uri.get());
  gint quality = 0;
  guint64 low = 0;
  g_object_get(source, "quality", &quality, "low", &low, nullptr);
  g_object_set(source, "quality", 99, "quality", -1, "low", low, nullptr);
}

TEST(MultilinkSource, GoesFromEachStateToEachOtherWithAnySeekInBetween) {
  constexpr std::array kStates{GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING};
  DirectoryPlan plan = film();
  plan.quality = switching;
  plan.most = 20;
  SourcePipeline pipeline{plan};
  const GstHandle<GstElement> source{gst_bin_get_by_name(GST_BIN(pipeline.element()), "source")};
  for (const GstState from : kStates) {
    for (const GstState to : kStates) {
      for (std::size_t i = 0; i < kSeeks.size(); ++i) {
        SCOPED_TRACE(
            fmt::format("{} to {}, seek {}", gst_element_state_get_name(from), gst_element_state_get_name(to), i));
        ASSERT_NE(gst_element_set_state(pipeline.element(), from), GST_STATE_CHANGE_FAILURE);
        if (i % 2 == 0) {
          ASSERT_TRUE(pipeline.settled(kPatience));
        }
        const Seek& seek = kSeeks[i];
        gst_element_send_event(i % 3 == 0 ? source.get() : pipeline.element(),
                               gst_event_new_seek(seek.speed, seek.format, static_cast<GstSeekFlags>(seek.flags),
                                                  seek.from, seek.start, GST_SEEK_TYPE_NONE, 0));
        ask_everything(source.get());
        ASSERT_NE(gst_element_set_state(pipeline.element(), to), GST_STATE_CHANGE_FAILURE);
        ask_everything(source.get());
      }
    }
  }
  gst_element_set_state(pipeline.element(), GST_STATE_NULL);
  pipeline.forget();
  ASSERT_TRUE(pipeline.play(kPatience));
  EXPECT_EQ(frames_of(pipeline.pictures()), from_to(0, 199));
  EXPECT_EQ(pipeline.errors(), std::vector<std::string>{});
}

TEST(MultilinkSource, WhatCannotBeOpenedIsAnErrorAndTheNextTryBeginsAnew) {
  DirectoryPlan plan;
  plan.directory = "/nowhere";
  SourcePipeline pipeline{plan};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(gst_element_set_state(pipeline.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    EXPECT_FALSE(pipeline.seek(1s));
    if (i == 1) gst_element_set_state(pipeline.element(), GST_STATE_NULL);
  }
  EXPECT_FALSE(pipeline.play(kPatience));
  ASSERT_FALSE(pipeline.errors().empty());
  EXPECT_NE(pipeline.errors().front().find("cannot read /nowhere/index.json"), std::string::npos)
      << pipeline.errors().front();
}

TEST(MultilinkSource, ChangesTheSoundAtASeek) {
  DirectoryPlan plan;
  plan.directory = TRIBUTARY_MARKED_EXTRAS;
  SourcePipeline pipeline{plan};
  pipeline.set_playing(false);
  ASSERT_TRUE(pipeline.settled(kPatience));
  pipeline.source().choose_sound(2);
  ASSERT_TRUE(pipeline.seek(2s));
  ASSERT_TRUE(pipeline.play(kPatience));
  EXPECT_NEAR(pipeline.sound().frequency(), 660, 2);
  EXPECT_EQ(frames_of(pipeline.pictures()), from_to(50, 149));
  pipeline.forget();
  pipeline.source().choose_sound(1);
  ASSERT_TRUE(pipeline.seek(2s));
  ASSERT_TRUE(pipeline.play(kPatience));
  EXPECT_NEAR(pipeline.sound().frequency(), 440, 2);
}

}  // namespace
}  // namespace tributary
