#include "segmenter/cli/replay_task.hh"

#include <nlohmann/json.hpp>

#include "command_line/read_option.hh"
#include "segmenter/cli/live_task.hh"
#include "segmenter/cli/shared_options.hh"

namespace tributary::segmenter {
namespace {

const Introduction kReplayIntroduction{"Publish a prepared presentation in real time, without encoding.",
                                       "",
                                       {"tributary-segment replay film -o /var/www/live --loop"}};

}  // namespace

ReplayTask::ReplayTask(CLI::App& app, Messages& messages) : Task{app, "replay", kReplayIntroduction, messages} {
  add_presentation(command_, options_.input);
  declare_output(command_, options_.output, options_.window.manifests);
  declare_messages(command_, messages);
  declare_window(command_, options_.window, options_.repeat);
  declare_low_latency(command_, options_.part);
}

void ReplayTask::settle() { expect_output(options_.output); }

void ReplayTask::run(const std::atomic<bool>& interrupted) const {
  ReplayResult result;
  {
    ProgressReport progress = messages_.progress();
    result = replay_live(options_, interrupted, progress);
  }
  messages_.tell_result(options_.output, nlohmann::ordered_json{{"seconds", to_seconds(result.media)},
                                                                {"segments", result.segments},
                                                                {"first", result.first_number}});
  say_numbers(messages_, options_.output, result.segments, result.first_number);
}

}  // namespace tributary::segmenter
