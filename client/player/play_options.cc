#include "player/play_options.hh"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "command_line/choice.hh"
#include "program/options/channel_option.hh"
#include "program/options/command_line.hh"
#include "program/options/proxy_options.hh"
#include "units/text/quantity_text.hh"

namespace tributary::play {
namespace {

const Introduction kIntroduction{
    "Plays a video that is streamed over all links of this computer at once. Keys are those of mpv; ? in the window shows "
    "them.",
    "0 after the window was closed, 1 if the player cannot start, 2 for a wrong command line.",
    {"tributary-play https://example.org/film/index.json",
     "tributary-play --link wlan0 --link wwan0 --quality 720p --start 12:34 URL"}};

double number_from(std::string_view text, bool whole) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const bool fractional = text.find('.') != std::string_view::npos;
  if (error != std::errc{} || end != text.data() + text.size() || !(number >= 0) || (whole && fractional)) {
    throw std::invalid_argument("");
  }
  return number;
}

}  // namespace

Duration parse_position(const std::string& text) {
  constexpr double kSixty = 60, kLongest = 1e6;
  try {
    double seconds = 0;
    std::size_t begin = 0;
    for (int fields = 1;; ++fields) {
      const std::size_t colon = text.find(':', begin);
      const bool last = colon == std::string::npos;
      const double field = number_from(std::string_view{text}.substr(begin, last ? colon : colon - begin), !last);
      if (fields > 3 || (fields > 1 && field >= kSixty)) throw std::invalid_argument("");
      seconds = seconds * kSixty + field;
      if (last) break;
      begin = colon + 1;
    }
    if (seconds > kLongest) throw std::invalid_argument("");
    return from_seconds(seconds);
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(
        fmt::format("\"{}\" is not a position: expected for example 90, 12:34, 1:02:03.5", text));
  }
}

int parse_lines(const std::string& text) {
  constexpr double kMost = 10'000;
  try {
    const double lines =
        number_from(std::string_view{text}.substr(0, text.size() - (text.ends_with('p') ? 1 : 0)), true);
    if (lines >= 1 && lines <= kMost) return static_cast<int>(lines);
  } catch (const std::invalid_argument&) {  // its own text speaks of any number
  }
  throw std::invalid_argument(fmt::format("\"{}\" is no number of lines: expected for example 720p", text));
}

PlayOptions with_preferences(PlayOptions options, const Preferences& preferences) {
  if (options.stream.sound.empty()) options.stream.sound = preferences.sound;
  options.remember = options.remember && preferences.remembers;
  return options;
}

PlayOptions parse_command_line(int argc, char** argv) {
  PlayOptions options;
  SessionOptions& session = options.stream.session;
  CLI::App app{"", "tributary-play"};
  introduce(app, kIntroduction);
  add_version(app, TRIBUTARY_VERSION);
  app.add_option(
      "URL", options.urls,
      "The address of an index.json, of its folder, or of an HLS or DASH manifest. Several, and the films in a folder of "
      "this computer, play one after the other. Without any, the window asks.");
  add_read(app, "--start", options.start, parse_position, "Begin at this position: 90, 12:34 or 1:02:03.5.")
      ->option_text("TIME");
  app.add_flag("!--no-resume", options.remember, "Neither go on where the film was left, nor remember it.");
  app.add_flag("--loop", options.loop, "Begin again at the end.");
  app.add_option("--volume", options.volume_percent, "Begin with this volume, from 0 to 100.")
      ->check(CLI::Range(0, 100))
      ->option_text("PERCENT")
      ->default_str("100");
  app.add_flag("--mute", options.muted, "Begin without sound.");
  app.add_option("--audio", options.stream.sound,
                 "Begin with the sound in this language, as de or pt-BR, or with this name.")
      ->option_text("LANGUAGE")
      ->default_str("as preferred, or the first");
  std::vector<std::string> channels;
  add_channel(app, channels);
  app.add_option("--subtitles", options.subtitles,
                 "Begin with the subtitles in this language, or with this name; off for none.")
      ->option_text("LANGUAGE")
      ->default_str("as preferred");
  app.add_option("--subtitles-file", options.subtitle_files,
                 "Show the subtitles of this file (SubRip, WebVTT, TTML). Repeat the option for more.")
      ->check(CLI::ExistingFile)
      ->allow_extra_args(false)
      ->option_text("FILE");
  app.add_option("--audio-sink", options.audio_sink, "Play the sound by this element of GStreamer.")
      ->option_text("NAME")
      ->default_str(options.audio_sink);
  app.add_flag("--hardware-decoding", options.hardware, "Decode pictures with the graphics card, where it can.");
  group(app, "Playback",
        {"--start", "--no-resume", "--loop", "--channel", "--volume", "--mute", "--hardware-decoding"});
  group(app, "Sound and subtitles", {"--audio", "--subtitles", "--subtitles-file", "--audio-sink"});

  app.add_option("--quality", options.quality, "Play this quality only, by its name or as 720p.")
      ->option_text("NAME")
      ->default_str("what the links carry");
  app.add_option("--adaptation", session.adaptation,
                 "Choose qualities by this rule; tributary-bench --help lists them.")
      ->option_text("RULE")
      ->default_str(session.adaptation);
  app.add_option("--buffer", session.buffer_segments, "Keep this many segments ready.")
      ->option_text("N")
      ->default_str(fmt::format("{}", session.buffer_segments));
  add_choice<StreamingMode>(
      app, "--mode", session.mode,
      {{"buffered", StreamingMode::kLiveBuffered}, {"unbuffered", StreamingMode::kLiveUnbuffered}},
      "Play a live stream later after a stall (buffered), or skip to stay near the live edge (unbuffered).")
      ->default_str("buffered");
  add_choice<PartialSegments>(
      app, "--partial", session.partial, {{"wait", PartialSegments::kWait}, {"play", PartialSegments::kPlay}},
      "Stand still until a late segment is there, or play what has come of it while the rest comes. Frames that come too "
      "late are not shown.")
      ->default_str("wait");
  add_read(app, "--max-quality", options.most_lines, parse_lines,
           "Adapt among the qualities with no more lines than this: 720p.")
      ->option_text("LINES")
      ->default_str("as preferred, or all");
  add_read(
      app, "--latency", options.stream.latency, parse_duration,
      "Stay this far behind the live edge, by playing up to 10 % faster or 5 % slower. 0 waits for whole segments.")
      ->option_text("DURATION")
      ->default_str("as the stream says, if it is of low latency");
  add_read(
      app, "--latency-limit", options.stream.latency_limit, parse_duration,
      "Of a stream of low latency: further behind the live edge than this, skip segments until it is as near as it "
      "should be. A pause and a seek allow as much more. 0: never.")
      ->option_text("DURATION")
      ->default_str("the latency and 10s");
  group(app, "Live", {"--latency", "--latency-limit", "--mode"});
  group(app, "Quality", {"--quality", "--max-quality", "--adaptation", "--buffer", "--partial"});

  NetworkOptions network;
  add_network_options(app, network);
  add_proxy_options(app, network);
  add_connections(app, session.connections);
  add_spend_for(app, session.spend_for);
  add_forget(app, options.forget);

  app.add_flag("--fullscreen", options.fullscreen, "Fill the screen.");
  app.add_flag("--panel", options.links_panel, "Open the links panel, which shows what each link carries.");
  app.add_option("--screenshot-dir", options.screenshot_folder, "Put screenshots into this folder.")
      ->option_text("DIR")
      ->default_str("your pictures folder");
  group(app, "Window", {"--fullscreen", "--panel", "--screenshot-dir"});
  parse(app, argc, argv, [&] {
    SessionOptions checked = session;  // unbuffered mode is only for live streams
    if (session.mode == StreamingMode::kLiveUnbuffered && app.count("--buffer") == 0) checked.buffer_segments = 1;
    validate(checked);
    choose_channels(channels, options.urls);
  });
  options.stream.links = std::move(network.links);
  options.stream.terms = std::move(network.terms);
  options.stream.rules = std::move(network.rules);
  options.expected = std::move(network.expected);
  return options;
}

}  // namespace tributary::play
