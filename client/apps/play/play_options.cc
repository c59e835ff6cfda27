#include "apps/play/play_options.hh"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <stdexcept>

#include "apps/common/command_line.hh"
#include "apps/common/link_memory.hh"
#include "units/quantity_text.hh"

namespace tributary::play {
namespace {

constexpr const char* kAbout =
    "Plays a presentation, streamed over all links of this computer at once.\n"
    "Keys are those of mpv; ? in the window shows them.";

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

PlayOptions parse_command_line(int argc, char** argv) {
  PlayOptions options;
  SessionOptions& session = options.stream.session;
  CLI::App app{kAbout, "tributary-play"};
  app.set_version_flag("--version", TRIBUTARY_VERSION);
  app.add_option("URL", options.url,
                 "What to play: the address of an index.json, of its folder, or of the HLS or DASH manifest beside it "
                 "(default: the window asks)");
  constexpr const char* kNetwork = "Network";
  add_network_options(app, options.stream.links, options.stream.terms, options.stream.ca_file, options.stream.http);
  for (const char* name : {"--link", "--cacert", "--http"}) app.get_option(name)->group(kNetwork);
  const std::map<std::string, StreamingMode> modes{{"buffered", StreamingMode::kLiveBuffered},
                                                   {"unbuffered", StreamingMode::kLiveUnbuffered}};
  app.add_option("--mode", session.mode,
                 "How a live presentation is played: buffered (a stall makes it later) or unbuffered (skips, to stay "
                 "near the live edge)")
      ->transform(CLI::CheckedTransformer(modes))
      ->option_text("MODE [buffered]")
      ->group(kNetwork);
  app.add_option("--buffer", session.buffer_segments, "Playout buffer in segments")
      ->option_text(fmt::format("N [{}]", session.buffer_segments))
      ->group(kNetwork);
  app.add_option("--quality", options.quality,
                 "Always this quality, by its name or as \"720p\" (default: what the links carry)")
      ->option_text("NAME")
      ->group(kNetwork);
  app.add_option("--adaptation", session.adaptation, "How qualities are chosen (tributary-bench --help lists them)")
      ->option_text("RULE [" + session.adaptation + "]")
      ->group(kNetwork);

  add_spend_for(app, session.spend_for);
  app.get_option("--spend-for")->group(kNetwork);
  add_forget(app, options.forget);
  app.get_option("--forget")->group(kNetwork);

  constexpr const char* kPlayback = "Playback";
  add_read(app, "--start", options.start, parse_position, "Begin there: 90, 12:34 or 1:02:03.5")
      ->option_text("TIME")
      ->group(kPlayback);
  app.add_flag("!--no-resume", options.remember,
               "Neither go on where it was left, nor remember addresses and positions")
      ->group(kPlayback);
  app.add_flag("--loop", options.loop, "Begin again at the end")->group(kPlayback);
  app.add_option("--volume", options.volume_percent, "In percent")
      ->check(CLI::Range(0, 100))
      ->option_text("PERCENT [100]")
      ->group(kPlayback);
  app.add_flag("--mute", options.muted, "Without sound")->group(kPlayback);
  app.add_option("--audio-sink", options.audio_sink, "A GStreamer element that plays the sound")
      ->option_text("NAME [" + options.audio_sink + "]")
      ->group(kPlayback);

  constexpr const char* kWindow = "Window";
  app.add_flag("--fullscreen", options.fullscreen, "Fill the screen")->group(kWindow);
  app.add_flag("--panel", options.links_panel, "Show what each link carries")->group(kWindow);
  app.add_option("--screenshot-dir", options.screenshot_folder, "Where screenshots go (default: your pictures folder)")
      ->option_text("FOLDER")
      ->group(kWindow);
  parse(app, argc, argv, [&] {
    SessionOptions checked = session;  // without a buffer is only what is live
    if (session.mode == StreamingMode::kLiveUnbuffered && app.count("--buffer") == 0) checked.buffer_segments = 1;
    validate(checked);
  });
  return options;
}

}  // namespace tributary::play
