#include "gst/player/player.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <thread>

#include "gst/gst_handles.hh"
#include "player/player_fixture.hh"
#include "support/at_once.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using testing::DirectoryPlan;
using testing::kNoUrl;
using testing::overwrite;
using testing::PlayerTest;
using testing::ShownFrame;

DirectoryPlan film() {
  DirectoryPlan plan;
  plan.directory = TRIBUTARY_MARKED_FILM;
  return plan;
}

constexpr unsigned kPictures = 2500;

TEST_F(PlayerTest, ShowsTheFirstPictureBeforeItPlays) {
  Player& player = make(film());
  EXPECT_EQ(player.state(), PlayerState::kClosed);
  player.open(kNoUrl);
  EXPECT_EQ(player.state(), PlayerState::kOpening);
  ASSERT_TRUE(wait_for_state(PlayerState::kPaused));
  ASSERT_EQ(shown().size(), 1u);
  EXPECT_EQ(last_mark()->frame, 0u);
  EXPECT_EQ(player.position(), 0s);
  EXPECT_EQ(player.duration(), 100s);
  ASSERT_TRUE(notes_.info);
  EXPECT_EQ(notes_.info->qualities.size(), 4u);
  EXPECT_EQ(notes_.states, (std::vector{PlayerState::kOpening, PlayerState::kPaused}));
  EXPECT_EQ(notes_.problems.size(), 0u);
}

TEST_F(PlayerTest, PlaysToTheEnd) {
  DirectoryPlan plan = film();
  plan.most = 5;
  Player& player = make(plan);
  player.open(kNoUrl);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kEnded));
  EXPECT_EQ(player.position(), 2s);
  std::vector<unsigned> each(50);
  std::iota(each.begin(), each.end(), 0u);
  EXPECT_EQ(frames(), each);
  EXPECT_EQ(player.frames_shown(), 50u);
  EXPECT_EQ(player.frames_dropped(), 0u);
  EXPECT_EQ(notes_.states.back(), PlayerState::kEnded);

  player.play();  // from the beginning
  EXPECT_EQ(player.position(), 0s);
  ASSERT_TRUE(wait_for_state(PlayerState::kPlaying));
  ASSERT_TRUE(wait_for_state(PlayerState::kEnded));
}

TEST_F(PlayerTest, PausesAndGoesOn) {
  Player& player = make(film());
  player.open(kNoUrl);
  player.play();
  ASSERT_TRUE(wait_until([&] { return player.position() > 300ms; }));
  player.pause();
  EXPECT_EQ(player.state(), PlayerState::kPaused);
  Duration stopped{};
  ASSERT_TRUE(wait_until([&] {
    stopped = player.position();
    const auto frames = player.frames_shown();
    run_for(200ms);
    return player.position() == stopped && player.frames_shown() == frames;
  }));
  player.play();
  ASSERT_TRUE(wait_until([&] { return player.position() > stopped + 100ms; }));
}

TEST_F(PlayerTest, SeeksToThePicture) {
  Player& player = make(film());
  player.open(kNoUrl);
  ASSERT_TRUE(wait_for_state(PlayerState::kPaused));
  std::minstd_rand random{1};
  for (int i = 0; i < 10; ++i) {
    const Duration target = std::chrono::milliseconds{random() % 100000};
    const std::size_t seeks = notes_.seeks.size();
    player.seek(target);
    EXPECT_EQ(player.position(), target);
    ASSERT_TRUE(wait_until([&] { return notes_.seeks.size() > seeks; }));
    EXPECT_EQ(last_mark()->frame, target / 40ms) << to_seconds(target);
    EXPECT_EQ(player.position(), target);
  }
  player.seek(12345ms, Player::SeekTo::kSegment);
  ASSERT_TRUE(wait_until([&] { return notes_.seeks.back() == 12s; }));
  EXPECT_EQ(last_mark()->frame, 300u);
}

TEST_F(PlayerTest, ASeekIsNotDoneWhenThePauseBeforeItIs) {
  Player& player = make(film());
  player.open(kNoUrl);
  for (const unsigned frame : {500u, 1000u, 1500u}) {
    player.play();
    ASSERT_TRUE(wait_for_state(PlayerState::kPlaying));
    run_for(100ms);
    player.pause();
    std::this_thread::sleep_for(300ms);  // GStreamer has paused, and the main context has not heard of it
    const std::size_t seeks = notes_.seeks.size();
    player.seek(frame * 40ms);
    ASSERT_TRUE(wait_until([&] { return notes_.seeks.size() > seeks; }));
    EXPECT_EQ(last_mark()->frame, frame);
    run_for(100ms);
    EXPECT_EQ(notes_.seeks.size(), seeks + 1);
  }
}

TEST_F(PlayerTest, TheEndIsLeftByASeekBeforeItIsHeardOf) {
  DirectoryPlan plan = film();
  plan.most = 5;
  Player& player = make(plan);
  player.open(kNoUrl, 1800ms);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kPlaying));
  std::this_thread::sleep_for(600ms);  // GStreamer has come to the end, and the main context has not heard of it
  player.seek(0s);
  ASSERT_TRUE(wait_until([&] { return !notes_.seeks.empty(); }));
  run_for(200ms);
  EXPECT_EQ(player.state(), PlayerState::kPlaying);
}

TEST_F(PlayerTest, ASliderThatIsDraggedEndsWhereItIsLetGo) {
  Player& player = make(film());
  player.open(kNoUrl);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kPlaying));
  for (int i = 0; i < 60; ++i) {
    run_for(5ms);
    player.seek(std::chrono::milliseconds{500 * i});
  }
  EXPECT_EQ(player.position(), 29500ms);
  ASSERT_TRUE(wait_until([&] { return !notes_.seeks.empty() && notes_.seeks.back() >= 29500ms; }));
  ASSERT_TRUE(wait_until([&] { return player.position() > 29800ms; }));
}

TEST_F(PlayerTest, StepsPictureByPicture) {
  Player& player = make(film());
  player.open(kNoUrl, 10s);
  ASSERT_TRUE(wait_for_state(PlayerState::kPaused));
  EXPECT_EQ(last_mark()->frame, 250u);
  for (const auto& [step, frame] : {std::pair{1, 251u}, {1, 252u}, {-1, 251u}, {-1, 250u}, {-1, 249u}, {10, 259u}}) {
    const std::size_t seeks = notes_.seeks.size();
    player.step(step);
    ASSERT_TRUE(wait_until([&] { return notes_.seeks.size() > seeks; }));
    EXPECT_EQ(last_mark()->frame, frame);
  }
  player.seek(100s);
  player.step(1);
  ASSERT_TRUE(wait_until([&] { return last_mark()->frame == kPictures - 1; }));
  EXPECT_FALSE(player.wants_to_play());
}

TEST_F(PlayerTest, KeepsSpeedVolumeAndQuality) {
  Player& player = make(film());
  player.set_speed(2);
  player.set_volume(0.3);
  player.set_muted(true);
  player.choose_quality(QualityIndex{2});
  player.open(kNoUrl, 20s);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kPlaying));
  EXPECT_EQ(player.speed(), 2);
  EXPECT_EQ(player.volume(), 0.3);
  EXPECT_TRUE(player.muted());
  // A slow machine looks at the clock late.
  const auto first_look = std::chrono::steady_clock::now();
  const Duration from = player.position();
  const auto began = std::chrono::steady_clock::now();
  run_for(1s);
  const auto ended = std::chrono::steady_clock::now();
  const double moved = to_seconds(player.position() - from);
  const auto last_look = std::chrono::steady_clock::now();
  EXPECT_LT(moved / to_seconds(last_look - first_look), 2.2);
  EXPECT_GT(moved / to_seconds(ended - began), 1.4);
  EXPECT_EQ(last_mark()->quality, 2u);
  EXPECT_EQ(player.shown_quality(), QualityIndex{2});
}

TEST_F(PlayerTest, MakesPicturesFitAndKeepsTheWholeOnes) {
  constexpr std::array<PictureSize, 3> kQualities{{{160, 90}, {256, 144}, {320, 180}}};
  DirectoryPlan plan = film();
  plan.most = 6;
  plan.quality = [&](std::size_t segment) { return segment % kQualities.size(); };
  Player& player = make(plan);
  player.fit_pictures(200, 500);
  player.open(kNoUrl);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kEnded));
  EXPECT_EQ(shown().size(), 60u);
  for (const ShownFrame& frame : shown()) {
    ASSERT_TRUE(frame.mark);
    EXPECT_EQ(frame.size, (PictureSize{200, 113}));
    EXPECT_EQ(frame.whole, kQualities.at(frame.mark->quality));
  }
  player.pause();
  player.fit_pictures(0, 0);
  forget();
  player.seek(1s);
  ASSERT_TRUE(wait_until([&] { return !shown().empty(); }));
  EXPECT_EQ(shown().back().size, kQualities[2]);
}

TEST_F(PlayerTest, Loops) {
  DirectoryPlan plan = film();
  plan.most = 2;
  Player& player = make(plan);
  player.set_loop(true);
  player.open(kNoUrl);
  player.play();
  EXPECT_TRUE(wait_until([&] { return std::ranges::count(frames(), 0u) >= 3; }));
  EXPECT_EQ(std::count(notes_.states.begin(), notes_.states.end(), PlayerState::kEnded), 0);
}

TEST_F(PlayerTest, PlaysOnWithoutASoundDevice) {
  DirectoryPlan plan = film();
  plan.most = 5;
  Player::Options options;
  options.audio_sink = "alsasink device=nothing_of_that_name";
  Player& player = make(plan, options);
  player.open(kNoUrl);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kEnded));
  ASSERT_FALSE(notes_.problems.empty());
  for (const PlayerProblem& problem : notes_.problems) EXPECT_FALSE(problem.fatal) << problem.what.english();
  EXPECT_EQ(last_mark()->frame, 49u);
}

TEST_F(PlayerTest, ASoundDeviceMayFailWhileItPlays) {
  Player::Options options;
  options.audio_sink = "identity error-after=100 ! fakesink sync=true";
  DirectoryPlan plan = film();
  plan.most = 20;
  Player& player = make(plan, options);
  player.open(kNoUrl);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kEnded)) << notes_.problems.front().what.english();
  ASSERT_EQ(notes_.problems.size(), 1u);
  EXPECT_FALSE(notes_.problems[0].fatal);
  EXPECT_EQ(last_mark()->frame, 199u);
}

/// GStreamer does not find the decoders for this, as if they were not installed.
class HiddenDecoders {
 public:
  explicit HiddenDecoders(const char* caps) {
    const GstHandle<GstCaps> wanted{gst_caps_from_string(caps)};
    GList* const all = gst_element_factory_list_get_elements(GST_ELEMENT_FACTORY_TYPE_DECODER, GST_RANK_MARGINAL);
    GList* const found = gst_element_factory_list_filter(all, wanted.get(), GST_PAD_SINK, FALSE);
    for (GList* next = found; next != nullptr; next = next->next) {
      auto* const feature = GST_PLUGIN_FEATURE(gst_object_ref(next->data));
      hidden_.emplace_back(GstHandle<GstPluginFeature>{feature}, gst_plugin_feature_get_rank(feature));
      gst_plugin_feature_set_rank(feature, GST_RANK_NONE);
    }
    gst_plugin_feature_list_free(found);
    gst_plugin_feature_list_free(all);
  }
  ~HiddenDecoders() {
    for (const auto& [feature, rank] : hidden_) gst_plugin_feature_set_rank(feature.get(), rank);
  }
  HiddenDecoders(const HiddenDecoders&) = delete;
  HiddenDecoders& operator=(const HiddenDecoders&) = delete;

 private:
  std::vector<std::pair<GstHandle<GstPluginFeature>, guint>> hidden_;
};

TEST_F(PlayerTest, SaysWhichDecoderIsMissingAndWhereItIs) {
  const HiddenDecoders hidden{"video/x-h264"};
  make(film()).open(kNoUrl);
  ASSERT_TRUE(wait_for_state(PlayerState::kFailed));
  ASSERT_TRUE(wait_until([&] { return !notes_.problems.empty(); }));
  EXPECT_TRUE(notes_.problems[0].fatal);
  EXPECT_THAT(notes_.problems[0].what.english(), ::testing::HasSubstr("H.264"));
  EXPECT_EQ(notes_.problems[0].advice.english(), "Install it with: sudo apt install gstreamer1.0-libav");
}

TEST_F(PlayerTest, PlaysWithoutSoundIfOnlyItsDecoderIsMissing) {
  const HiddenDecoders hidden{"audio/mpeg,mpegversion=4"};
  DirectoryPlan plan = film();
  plan.most = 3;
  Player& player = make(plan);
  player.open(kNoUrl);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kEnded));
  ASSERT_EQ(notes_.problems.size(), 1u);
  EXPECT_FALSE(notes_.problems[0].fatal);
  EXPECT_THAT(notes_.problems[0].what.english(), ::testing::HasSubstr("AAC"));
  EXPECT_EQ(player.sound(), std::nullopt);
  EXPECT_EQ(last_mark()->frame, 29u);
}

/// Overwrites bytes behind the name of a box.
TEST_F(PlayerTest, SaysWhetherThePictureOrTheSoundCannotBeDecoded) {
  DirectoryPlan plan;
  plan.directory = TRIBUTARY_MARKED_EXTRAS;
  plan.damage_init = [](TrackKind kind, MediaBytes& bytes) {
    if (kind == TrackKind::kVideo) overwrite(bytes, "avcC", 6, 30, std::byte{0});  // the parameter sets
  };
  make(plan).open(kNoUrl);
  ASSERT_TRUE(wait_for_state(PlayerState::kFailed));
  ASSERT_EQ(notes_.problems.size(), 1u);
  EXPECT_EQ(notes_.problems[0].what.english(), "The picture cannot be decoded.");
  EXPECT_FALSE(notes_.problems[0].advice.empty());
  EXPECT_NE(notes_.problems[0].detail, "");
  plan.damage_init = [](TrackKind kind, MediaBytes& bytes) {
    if (kind == TrackKind::kAudio) overwrite(bytes, "esds", 35, 2, std::byte{0xff});  // AudioSpecificConfig
  };
  make(plan).open(kNoUrl);
  ASSERT_TRUE(wait_until([&] { return notes_.problems.size() == 2; }));
  EXPECT_EQ(notes_.problems[1].what.english(), "The sound cannot be decoded.");
}

TEST_F(PlayerTest, SubtitlesOfTheUserAreShownInTheirTimeOrLater) {
  const std::string file = ::testing::TempDir() + fmt::format("/subtitles-{}.srt", getpid());
  std::ofstream{file} << "1\n00:00:03,000 --> 00:00:04,000\n<i>third</i> second\n";
  Player& player = make(film());
  player.open(kNoUrl);
  EXPECT_NO_THROW(player.add_text_file(file)) << "it is not open yet, and nothing happens";
  ASSERT_TRUE(wait_for_state(PlayerState::kPaused));
  EXPECT_EQ(notes_.info->texts.size(), 0u);
  player.add_text_file(file);
  ASSERT_TRUE(wait_until([&] { return notes_.info->texts.size() == 1; }));
  EXPECT_EQ(player.text(), notes_.info->texts[0]);
  EXPECT_EQ(notes_.info->presentation.tracks.at(*player.text()).label.name,
            std::filesystem::path{file}.filename().string());
  player.seek(3500ms);
  ASSERT_TRUE(
      wait_until([&] { return !notes_.subtitles.empty() && notes_.subtitles.back() == "<i>third</i> second"; }));
  player.set_text_delay(1s);
  EXPECT_EQ(notes_.subtitles.back(), "");
  player.seek(4500ms);
  ASSERT_TRUE(wait_until([&] { return notes_.subtitles.back() == "<i>third</i> second"; }));
  player.set_text_delay(-2s);
  EXPECT_EQ(notes_.subtitles.back(), "");
  player.choose_text(std::nullopt);
  player.set_text_delay({});
  player.choose_text(notes_.info->texts[0]);
  EXPECT_EQ(player.text(), notes_.info->texts[0]) << "it is kept";
  EXPECT_THROW(player.add_text_file("/no/such/file.srt"), std::runtime_error);
  std::ofstream{file} << "a shopping list\n";
  EXPECT_THROW(player.add_text_file(file), std::runtime_error);
  std::filesystem::remove(file);
}

TEST_F(PlayerTest, ChangesTheSound) {
  DirectoryPlan plan;
  plan.directory = TRIBUTARY_MARKED_EXTRAS;
  Player& player = make(plan);
  player.open(kNoUrl);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kPlaying));
  ASSERT_EQ(notes_.info->sounds.size(), 2u);
  EXPECT_EQ(player.sound(), notes_.info->sounds[0]);
  const int changes = notes_.changes;
  player.choose_sound(notes_.info->sounds[1]);
  EXPECT_EQ(player.sound(), notes_.info->sounds[1]);
  EXPECT_GT(notes_.changes, changes);
  ASSERT_TRUE(wait_for_state(PlayerState::kEnded));
  EXPECT_EQ(last_mark()->frame, 149u);
}

TEST_F(PlayerTest, ClosesAtAnyMoment) {
  std::minstd_rand random{1};
  for (int i = 0; i < 30; ++i) {
    Player& player = make(film());
    player.open(kNoUrl);
    if (i % 2 == 0) player.play();
    if (i % 3 == 0) player.seek(std::chrono::milliseconds{random() % 100000});
    run_for(std::chrono::microseconds{random() % 100000});
    const auto began = std::chrono::steady_clock::now();
    player.close();
    EXPECT_EQ(player.state(), PlayerState::kClosed);
    EXPECT_LT(std::chrono::steady_clock::now() - began, testing::kAtOnce);
    if (i % 5 == 0) player.open(kNoUrl);
    player_.reset();
  }
}

}  // namespace
}  // namespace tributary
