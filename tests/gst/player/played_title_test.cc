// Every public call of the player in every state that a title can be in: while it is told something, too.
#include "gst/player/played_title.hh"

#include <gtest/gtest.h>

#include <array>
#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>

#include "player/player_fixture.hh"
#include "support/sweep.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using testing::DirectoryPlan;
using testing::PlayerTest;

/// Says at once that it has failed.
class FailedFeed final : public MediaFeed {
 public:
  explicit FailedFeed(StreamListener& listener) {
    listener.failed({StreamFailure::Kind::kNotFound, "There is nothing.", "404"});
  }
  std::uint32_t seek(Duration /*position*/) override { return ++generation_; }
  std::uint32_t choose_sound(std::size_t /*track*/, Duration /*position*/) override { return ++generation_; }
  void choose_quality(const QualityWish& /*wish*/) override {}
  void use_link(const std::string& /*name*/, LinkUse /*use*/) override {}
  void report(const PlayoutReport& /*report*/) override {}
  StreamStatus status() const override { return {}; }

 private:
  std::uint32_t generation_ = 0;
};

// Addresses: what becomes of the titles there.
constexpr const char* kFilm = "http://titles/film";        // it plays
constexpr const char* kExtras = "http://titles/extras";    // it plays, and has two sounds and subtitles
constexpr const char* kShort = "http://titles/short";      // it ends soon
constexpr const char* kLate = "http://titles/late";        // nothing comes but its index
constexpr const char* kStalls = "http://titles/stalls";    // it begins, and no more comes
constexpr const char* kFails = "http://titles/fails";      // it fails
constexpr const char* kNowhere = "http://titles/nowhere";  // it cannot even be opened
constexpr std::array kAddresses{kFilm, kExtras, kShort, kLate, kStalls, kFails, kNowhere};

std::unique_ptr<MediaFeed> open_title(const std::string& url, const Stream::Options& options,
                                      StreamListener& listener) {
  DirectoryPlan plan;
  plan.directory = url == kExtras ? TRIBUTARY_MARKED_EXTRAS : TRIBUTARY_MARKED_FILM;
  plan.quality = [](std::size_t segment) { return segment % 3; };
  if (url == kExtras) plan.quality = [](std::size_t) { return std::size_t{0}; };
  if (url == kShort) plan.most = 1;
  if (url == kLate) plan.delay = [](std::size_t) { return 1h; };
  if (url == kStalls) plan.delay = [](std::size_t segment) { return segment < 2 ? Duration{} : Duration{1h}; };
  if (url == kFails) return std::make_unique<FailedFeed>(listener);
  if (url == kNowhere) throw std::runtime_error{"there is nothing at all"};
  return open_directory(std::move(plan))(url, options, listener);
}

class PlayedTitleTest : public PlayerTest {
 protected:
  Player& make_one() {
    Player::Options options;
    options.open = open_title;
    return make(std::move(options));
  }

  /// What every caller may read at every time.
  void read_everything() const {
    const Player& player = *player_;
    EXPECT_GE(player.position(), Duration{});
    EXPECT_GE(player.duration(), Duration{});
    EXPECT_TRUE(player.speed() >= 0.5 && player.speed() <= 2) << player.speed();
    EXPECT_TRUE(player.volume() >= 0 && player.volume() <= 1) << player.volume();
    player.wants_to_play();
    player.muted();
    player.loop();
    player.chosen_quality();
    player.frames_dropped();
    const StreamStatus status = player.status();
    if (player.state() != PlayerState::kClosed) return;
    EXPECT_EQ(player.position(), Duration{});
    EXPECT_EQ(player.duration(), Duration{});
    EXPECT_EQ(player.shown_quality(), std::nullopt);
    EXPECT_EQ(player.sound(), std::nullopt);
    EXPECT_EQ(player.text(), std::nullopt);
    EXPECT_EQ(player.frames_shown(), 0u);
    EXPECT_TRUE(status.links.empty());
  }

  /// Plays from the beginning, whatever happened before.
  ::testing::AssertionResult plays_as_ever() {
    notes_.then = [] {};
    Player& player = *player_;
    player.set_loop(false);
    player.set_speed(1);
    player.choose_quality(std::nullopt);
    player.open(kShort);
    player.play();
    forget();
    if (!wait_for_state(PlayerState::kEnded)) return ::testing::AssertionFailure() << "it does not reach the end";
    if (player.position() != 400ms) return ::testing::AssertionFailure() << to_seconds(player.position());
    return ::testing::AssertionSuccess();
  }
};

Duration some_position(std::minstd_rand& random) {
  constexpr std::array<Duration, 7> kOdd{Duration{}, -1s, 3599s, 100s, Duration::max(), Duration::min(), 1ns};
  return random() % 2 == 0 ? kOdd[random() % kOdd.size()] : Duration{std::chrono::milliseconds{random() % 100'000}};
}

double some_number(std::minstd_rand& random) {
  const std::array<double, 8> kOdd{0, -1, 1e300, std::numeric_limits<double>::infinity(), std::nan(""), 0.5, 1.25, 2};
  return kOdd[random() % kOdd.size()];
}

std::optional<std::size_t> some_track(std::minstd_rand& random) {
  constexpr std::array<std::size_t, 8> kTracks{0, 1, 2, 3, 4, 5, 99, SIZE_MAX};
  return random() % 4 == 0 ? std::nullopt : std::optional{kTracks[random() % kTracks.size()]};
}

struct NamedCall {
  const char* name;
  std::function<void(Player&, std::minstd_rand&)> make;
};

const std::vector<NamedCall>& calls() {
  using Random = std::minstd_rand;
  static const std::vector<NamedCall> all{
      {"open", [](Player& p, Random& r) { p.open(kAddresses[r() % kAddresses.size()]); }},
      {"open at", [](Player& p, Random& r) { p.open(kAddresses[r() % kAddresses.size()], some_position(r)); }},
      {"close", [](Player& p, Random&) { p.close(); }},
      {"play", [](Player& p, Random&) { p.play(); }},
      {"pause", [](Player& p, Random&) { p.pause(); }},
      {"seek", [](Player& p, Random& r) { p.seek(some_position(r)); }},
      {"seek to segment", [](Player& p, Random& r) { p.seek(some_position(r), Player::SeekTo::kSegment); }},
      {"step", [](Player& p, Random&) { p.step(1); }},
      {"step far", [](Player& p, Random& r) { p.step(r() % 2 == 0 ? INT_MAX : INT_MIN); }},
      {"speed", [](Player& p, Random& r) { p.set_speed(some_number(r)); }},
      {"volume", [](Player& p, Random& r) { p.set_volume(some_number(r)); }},
      {"mute", [](Player& p, Random& r) { p.set_muted(r() % 2 == 0); }},
      {"loop", [](Player& p, Random& r) { p.set_loop(r() % 2 == 0); }},
      {"quality",
       [](Player& p, Random& r) {
         const std::array<std::optional<QualityIndex>, 4> some{std::nullopt, QualityIndex{0}, QualityIndex{2}};
         p.choose_quality(some[r() % some.size()]);
       }},
      {"sound", [](Player& p, Random& r) { p.choose_sound(some_track(r).value_or(0)); }},
      {"text", [](Player& p, Random& r) { p.choose_text(some_track(r)); }},
      {"use link", [](Player& p, Random& r) { p.use_link(r() % 2 == 0 ? "lo" : "", LinkUse::kDoNotUse); }},
      {"fit", [](Player& p, Random& r) { p.fit_pictures(static_cast<int>(r() % 400), static_cast<int>(r() % 400)); }},
  };
  return all;
}

TEST_F(PlayedTitleTest, IsLeftBehindAsIfItHadNeverBeenOpen) {
  for (const char* const next : {"", kFilm, kNowhere}) {
    Player& player = make_one();
    notes_.then = [this] {
      if (player_) read_everything();  // as a window does
    };
    player.open(kFilm);
    player.play();
    ASSERT_TRUE(wait_until([&] { return player.position() > 100ms; }));
    if (*next == '\0') {
      player.close();
      EXPECT_EQ(player.state(), PlayerState::kClosed);
    } else {
      player.open(next);
      EXPECT_EQ(player.state(), PlayerState::kOpening);
    }
    EXPECT_EQ(player.position(), Duration{});
    EXPECT_EQ(player.duration(), Duration{});
    EXPECT_EQ(player.sound(), std::nullopt);
    EXPECT_EQ(player.frames_shown(), 0u);
    run_for(200ms);
    ASSERT_TRUE(plays_as_ever()) << next;
    notes_ = {};
  }
}

TEST_F(PlayedTitleTest, AnAddressThatCannotBeOpenedIsAProblemAndNoException) {
  Player& player = make_one();
  player.open(kNowhere);
  EXPECT_EQ(player.state(), PlayerState::kOpening);
  ASSERT_TRUE(wait_for_state(PlayerState::kFailed));
  ASSERT_EQ(notes_.problems.size(), 1u);
  EXPECT_TRUE(notes_.problems[0].fatal);
  EXPECT_NE(notes_.problems[0].detail.find("there is nothing at all"), std::string::npos) << notes_.problems[0].detail;
  ASSERT_TRUE(plays_as_ever());
}

TEST_F(PlayedTitleTest, TakesEachCallInEachState) {
  struct Phase {
    const char* name;
    const char* address;
    bool play;
    std::optional<PlayerState> until;
  };
  constexpr std::array<Phase, 9> kPhases{{{"closed", "", false, PlayerState::kClosed},
                                          {"just opened", kFilm, true, std::nullopt},
                                          {"opening", kLate, true, std::nullopt},
                                          {"paused", kExtras, false, PlayerState::kPaused},
                                          {"playing", kExtras, true, PlayerState::kPlaying},
                                          {"buffering", kStalls, true, PlayerState::kBuffering},
                                          {"ended", kShort, true, PlayerState::kEnded},
                                          {"failed", kFails, true, PlayerState::kFailed},
                                          {"never opened", kNowhere, false, PlayerState::kFailed}}};
  std::minstd_rand random{1};
  Player& player = make_one();
  // With ./run test, each call in every third state.
  const auto step = static_cast<std::size_t>(testing::of_sweep(3, 1));
  for (std::size_t place = 0; place < kPhases.size(); ++place) {
    const Phase& phase = kPhases[place];
    for (std::size_t i = place % step; i < calls().size(); i += step) {
      const NamedCall& call = calls()[i];
      SCOPED_TRACE(std::string{phase.name} + ": " + call.name);
      notes_.then = [] {};
      player.set_loop(false);
      player.set_speed(1);
      player.close();
      if (phase.play) player.play();
      if (!phase.play) player.pause();
      if (*phase.address != '\0') player.open(phase.address);
      const auto reached = [&] {
        if (phase.address == kLate) return player.duration() > Duration{};
        return !phase.until || player.state() == *phase.until;
      };
      ASSERT_TRUE(wait_until(reached));
      notes_.then = [this] { read_everything(); };
      call.make(player, random);
      read_everything();
      run_for(5ms);
      read_everything();
    }
    ASSERT_TRUE(plays_as_ever()) << phase.name;
  }
}

TEST_F(PlayedTitleTest, ItsListenerMayCloseItWhateverItIsTold) {
  constexpr int kNews = 12;  // of a title from its opening to its end, and more
  for (int count = 0; count < kNews; ++count) {
    Player& player = make_one();
    int left = count;
    bool closed = false;
    notes_.then = [&] {
      if (left-- > 0) return;
      if (!std::exchange(closed, true)) player.close();
    };
    player.open(kShort);
    player.play();
    player.seek(40ms);
    wait_until([&] { return closed || player.state() == PlayerState::kEnded; });
    if (!closed) player.close();
    EXPECT_EQ(player.state(), PlayerState::kClosed);
    EXPECT_EQ(notes_.states.back(), PlayerState::kClosed);
    const std::size_t states = notes_.states.size();
    run_for(20ms);
    EXPECT_EQ(notes_.states.size(), states) << count;
    notes_ = {};
  }
}

TEST_F(PlayedTitleTest, SurvivesARandomWalkOverItsCalls) {
  constexpr int kSteps = 150;
  for (const unsigned seed : testing::of_sweep<unsigned>(1, {1, 2, 3})) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::minstd_rand random{seed};
    Player& player = make_one();
    int deep = 0;
    std::string walk;
    const auto call_something = [&] {
      const NamedCall& call = calls()[random() % calls().size()];
      walk += std::string{call.name} + "; ";
      call.make(player, random);
    };
    // One in eight is answered by a call, and no call by another.
    notes_.then = [&] {
      read_everything();
      if (deep > 0 || random() % 8 != 0) return;
      ++deep;
      walk += "in answer: ";
      call_something();
      --deep;
    };
    for (int step = 0; step < kSteps; ++step) {
      // As often as not, it is given the time to become something.
      if (random() % 12 == 0) player.open(kExtras);
      if (random() % 6 == 0) player.play();
      call_something();
      read_everything();
      run_for(random() % 3 == 0 ? std::chrono::milliseconds{random() % 60} : 0ms);
    }
    ASSERT_TRUE(plays_as_ever()) << walk;
    notes_ = {};
  }
}

}  // namespace
}  // namespace tributary
