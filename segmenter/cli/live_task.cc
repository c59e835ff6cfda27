#include "segmenter/cli/live_task.hh"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command_line/program_end.hh"
#include "command_line/read_option.hh"
#include "segmenter/cli/encoding_words.hh"
#include "segmenter/cli/shared_options.hh"
#include "units/text/printed_text.hh"
#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

const Introduction kLiveIntroduction{"Encode a source while it plays, until it ends or Ctrl-C ends it.",
                                     "",
                                     {"tributary-segment live camera.ts -o /var/www/live --loop"}};

}  // namespace

LiveTask::LiveTask(CLI::App& app, Messages& messages) : Task{app, "live", kLiveIntroduction, messages} {
  command_
      .add_option("SOURCE", options_.input,
                  "A file, - (MPEG-TS from standard input), rtsp://, udp://, srt:// or rtmp:// (listens), v4l2:DEVICE, "
                  "x11:DISPLAY or lavfi:GRAPH.")
      ->required();
  declare_output(command_, options_.output, options_.window.manifests);
  declare_messages(command_, messages);
  declare_encoding(command_, options_);
  declare_window(command_, options_.window, options_.repeat);
  declare_low_latency(command_, options_.layout.part);
  add_read(command_, "--reconnect", options_.reconnect, parse_duration,
           "Wait this long for a source that went away; 0s ends at once.")
      ->default_str("10min")
      ->option_text("TIME")
      ->group(kLiveGroup);
}

void LiveTask::settle() {
  expect_output(options_.output);
  std::error_code error;
  if (options_.repeat && !std::filesystem::is_regular_file(options_.input, error))
    throw UsageError(fmt::format("--loop: {} is no file", options_.input));
  check_encoding(options_);
  check_low_latency(options_.segment, options_.layout);
  // Live, pictures may be left out; encoders of AV1 begin groups by counting the pictures that they get.
  if (options_.video.codec == VideoCodec::kAv1)
    throw UsageError(
        "--codec av1: not live, where pictures may be left out and its encoder would lose count; use h264 or hevc");
  if (options_.video.rate_control == RateControl::kTwoPass)
    throw UsageError("--rate-control: live, it is vbr or capped-crf");
}

void LiveTask::run(const std::atomic<bool>& interrupted) const {
  LiveResult result;
  {
    ProgressReport progress = messages_.progress();
    result = stream_live(options_, interrupted, progress);
  }
  warn_of_damage(options_.input, result.damage);
  messages_.tell_result(options_.output, with_damage({{"pictures", result.pictures},
                                                      {"seconds", to_seconds(result.media)},
                                                      {"segments", result.segments},
                                                      {"first", result.first_number},
                                                      {"leftOut", result.left_out},
                                                      {"interruptions", result.interruptions}},
                                                     result.damage));
  if (result.left_out > 0) {
    print_text(stderr, "tributary-segment: the encoders were too slow: pictures left out: {} of {}\n", result.left_out,
               result.pictures);
  }
  say_numbers(messages_, options_.output, result.segments, result.first_number);
}

void say_numbers(const Messages& messages, const std::filesystem::path& output, std::uint64_t segments,
                 std::uint64_t first) {
  if (!messages.for_people()) return;
  if (segments == 0) return print_text(stderr, "{}: no segment\n", output.string());
  print_text(stderr, "{}: segments: {}, numbers {} to {}\n", output.string(), segments, first, first + segments - 1);
}

}  // namespace tributary::segmenter
