// Plays an address (or the presentation in a directory) as the player does, without a window, and says what came of it. For
// measurements and long runs; docs/player.md.
#include <fmt/format.h>
#include <gst/gst.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iostream>
#include <random>

#include "directory_feed.hh"
#include "gst/main_context.hh"
#include "gst/player/player.hh"
#include "marks.hh"
#include "presentation/track_choice.hh"

namespace tributary {
namespace {

using Clock = std::chrono::steady_clock;
using testing::DirectoryPlan;
using testing::PictureMark;

struct Options {
  std::string url, directory, format = "BGRA", audio_sink = "fakesink sync=true", links, subtitles;
  double seconds = 1e9, start = 0, speed = 1, ahead = 12, delay_every = 0, delay = 0, sample_every = 60;
  int quality = -1, threads = 0;
  unsigned buffer = 0;
  bool switches = false, transport_streams = false, marks = false, flashes = false, seeks = false, loop = false,
       until_first_frame = false, late_frames = false, in_part = false;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long resident_kilobytes() {
  std::ifstream statm{"/proc/self/statm"};
  long total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4;
}

/// Counts what is shown; in the streaming thread.
class Screen {
 public:
  Screen(bool reads_marks, bool sees_flashes) : reads_marks_{reads_marks}, sees_flashes_{sees_flashes} {}

  void show(GstSample* frame) {
    if (!first_) {
      first_ = Clock::now();
      std::cerr << "first frame" << std::endl;  // for whoever measures it from outside
    }
    last_ = Clock::now();
    ++frames_;
    note_time(static_cast<double>(GST_BUFFER_PTS(gst_sample_get_buffer(frame))) / GST_SECOND);
    if (sees_flashes_) look_for_flash(frame);
    if (!reads_marks_) return;
    const auto mark = testing::read_picture(frame);
    if (!mark) {
      ++unreadable_;
      return;
    }
    if (before_ && !after_seek_.exchange(false)) {
      if (mark->frame <= before_->frame) ++backwards_;
      if (mark->frame > before_->frame + 1) missing_ += mark->frame - before_->frame - 1;
      if (mark->quality != before_->quality) ++switches_;
    }
    before_ = mark;
  }
  void seeked() { after_seek_ = true; }
  std::optional<Clock::time_point> first() const { return first_; }
  /// When flashes began, in seconds of the timeline.
  const std::vector<double>& flashes() const { return flashes_; }
  std::string report() const {
    return fmt::format(
        R"("frames": {}, "shown_s": {:.3f}, "longest_step_s": {:.3f}, "unreadable": {}, "missing": {}, "backwards": {}, "switches": {})",
        frames_.load(), shown_, longest_step_, unreadable_, missing_, backwards_, switches_);
  }

 private:
  void look_for_flash(GstSample* frame) {
    const bool white = testing::is_white(frame);
    if (white && !white_) flashes_.push_back(*time_);
    white_ = white;
  }
  void note_time(double time) {
    if (time_) shown_ += time - *time_;
    if (time_) longest_step_ = std::max(longest_step_, time - *time_);
    time_ = time;
  }

  bool reads_marks_, sees_flashes_, white_ = false;
  std::optional<double> time_;  // of the last frame, in seconds of the timeline
  double shown_ = 0, longest_step_ = 0;
  std::vector<double> flashes_;
  std::optional<Clock::time_point> first_, last_;
  std::optional<PictureMark> before_;
  std::atomic<bool> after_seek_ = true;
  std::atomic<std::uint64_t> frames_ = 0;
  std::uint64_t unreadable_ = 0, missing_ = 0, backwards_ = 0, switches_ = 0;
};

struct Ends : PlayerListener {
  GMainLoop* loop = nullptr;
  std::optional<PlayerProblem> fatal;
  Player* player = nullptr;
  std::string subtitles;
  unsigned stalls = 0;
  bool played = false;

  void state_changed(PlayerState state) override {
    played = played || state == PlayerState::kPlaying;
    if (state == PlayerState::kBuffering && played) ++stalls;
    if (state == PlayerState::kEnded) g_main_loop_quit(loop);
  }
  void opened(const StreamInfo& info) override {
    if (!subtitles.empty()) player->choose_text(find_track(info.presentation, TrackKind::kText, subtitles));
  }
  void text_added(const StreamInfo& /*info*/) override {}
  void changed() override {}
  void seeked(Duration /*position*/) override {}
  void skipped(const SkippedSegment& skipped) override {
    std::cerr << "skipped " << to_index(skipped.segment) << ": " << skipped.reason << "\n";
  }
  void subtitle(const std::string& markup) override {
    std::string line = markup;
    std::ranges::replace(line, '\n', '|');
    std::cout << fmt::format("{:.1f} s: {}", to_seconds(player->position()), line) << std::endl;
  }
  void problem(const PlayerProblem& problem) override {
    std::cerr << problem.what.english() << " " << problem.advice.english() << " (" << problem.detail << ")\n";
    if (!problem.fatal) return;
    fatal = problem;
    g_main_loop_quit(loop);
  }
};

DirectoryPlan plan_of(const Options& options) {
  DirectoryPlan plan;
  plan.directory = options.directory;
  plan.transport_streams = options.transport_streams;
  plan.ahead = from_seconds(options.ahead);
  if (options.switches) plan.quality = [](std::size_t segment) { return segment * 7 / 3 % 4; };
  if (options.delay_every > 0) {
    plan.delay = [options](std::size_t segment) {
      const auto every = static_cast<std::size_t>(options.delay_every);
      return segment % every == every - 1 ? from_seconds(options.delay) : Duration{};
    };
  }
  return plan;
}

int play(const Options& options) {
  Ends ends;
  ends.loop = g_main_loop_new(nullptr, FALSE);
  Screen screen{options.marks, options.flashes};
  Player::Options player_options;
  player_options.audio_sink = options.audio_sink;
  player_options.frame_format = options.format;
  player_options.decoder_threads = options.threads;
  if (options.late_frames) player_options.latest.reset();
  if (!options.links.empty()) player_options.stream.links = {options.links};
  if (options.buffer > 0) player_options.stream.session.buffer_segments = options.buffer;
  if (options.in_part) player_options.stream.session.partial = PartialSegments::kPlay;
  if (!options.directory.empty()) player_options.open = testing::open_directory(plan_of(options));
  Player player{player_options, ends, [&](GstSample* frame) { screen.show(frame); }};
  ends.player = &player;
  ends.subtitles = options.subtitles;
  player.set_speed(options.speed);
  player.set_loop(options.loop);
  if (options.quality >= 0) player.choose_quality(static_cast<QualityIndex>(options.quality));
  const auto began = Clock::now();
  player.open(options.url.empty() ? "http://directory/index.json" : options.url, from_seconds(options.start));
  player.play();
  std::minstd_rand random{1};
  const RepeatedCall look{MainContext{}, std::chrono::milliseconds{20}, [&] {
                            const bool first = options.until_first_frame && screen.first();
                            if (first || Clock::now() - began > from_seconds(options.seconds))
                              g_main_loop_quit(ends.loop);
                          }};
  const RepeatedCall sample{MainContext{}, from_seconds(options.sample_every), [&] {
                              std::cerr << fmt::format("{:.0f} s: {:.1f} s buffered, {} kB, {:.1f} s of CPU, {}\n",
                                                       to_seconds(player.position()),
                                                       to_seconds(player.status().buffered), resident_kilobytes(),
                                                       cpu_seconds(), screen.report());
                            }};
  const RepeatedCall seek{
      MainContext{}, std::chrono::seconds{3}, [&] {
        if (!options.seeks) return;
        screen.seeked();
        player.seek(from_seconds(static_cast<double>(random() % 1000) / 1000 * to_seconds(player.duration())));
      }};
  g_main_loop_run(ends.loop);
  if (const auto stall = player.status().last_stall)
    std::cerr << fmt::format("last stall, {:.3f} s: {}\n", to_seconds(stall->length), stall->detail);
  const double first = screen.first() ? std::chrono::duration<double>(*screen.first() - began).count() : -1;
  std::cout
      << fmt::format(
             R"({{"first_frame_s": {:.3f}, {}, "flashes": [{}], "dropped": {}, "stalls": {}, "position_s": {:.3f}, "cpu_s": {:.2f}, "wall_s": {:.2f}, "resident_kB": {}}})",
             first, screen.report(), fmt::join(screen.flashes(), ", "), player.frames_dropped(), ends.stalls,
             to_seconds(player.position()), cpu_seconds(), std::chrono::duration<double>(Clock::now() - began).count(),
             resident_kilobytes())
      << std::endl;
  return ends.fatal ? 1 : 0;
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) {
  tributary::Options options;
  CLI::App app{"Plays without a window, and counts."};
  app.add_option("url", options.url, "of an index.json");
  app.add_option("--directory", options.directory, "play the presentation there instead");
  app.add_option("--format", options.format, "of the frames");
  app.add_option("--audio-sink", options.audio_sink);
  app.add_option("--link", options.links);
  app.add_option("--subtitles", options.subtitles, "show this text: a line for each change");
  app.add_option("--seconds", options.seconds, "end after so many");
  app.add_option("--start", options.start);
  app.add_option("--speed", options.speed);
  app.add_option("--quality", options.quality);
  app.add_option("--buffer", options.buffer, "of so many segments");
  app.add_flag("--in-part", options.in_part, "late segments play while they come");
  app.add_option("--threads", options.threads, "of the decoder");
  app.add_option("--sample-every", options.sample_every, "seconds between lines about memory");
  app.add_option("--ahead", options.ahead, "directory: seconds that are buffered");
  app.add_option("--delay-every", options.delay_every, "directory: each so-many-th segment is late");
  app.add_option("--delay", options.delay, "directory: by so many seconds");
  app.add_flag("--transport-streams", options.transport_streams, "directory: its segments of MPEG-TS");
  app.add_flag("--switches", options.switches, "directory: another quality each segment");
  app.add_flag("--marks", options.marks, "read the marks of make_marked_content.py");
  app.add_flag("--flashes", options.flashes, "tell when white pictures begin");
  app.add_flag("--seeks", options.seeks, "seek every 3 seconds");
  app.add_flag("--loop", options.loop, "again and again");
  app.add_flag("--late-frames", options.late_frames, "show frames that are late, too, and let no decoder hurry");
  app.add_flag("--first-frame", options.until_first_frame, "end at the first frame");
  CLI11_PARSE(app, argc, argv);
  gst_init(&argc, &argv);
  return tributary::play(options);
}
