#include "segmenter/live/live_job.hh"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "segmenter/encode/encode_plan.hh"
#include "segmenter/libav/input_file.hh"
#include "segmenter/live/live_stretch.hh"
#include "system/utc_now.hh"
#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

/// Waits for the source. If it comes from a sender, reports so first, and why a sender was of no use.
LiveInput opened(const LiveOptions& options, const std::atomic<bool>& stop, ProgressReport& report) {
  const std::string name = shown_name(options.input);
  if (is_sender(options.input)) {
    report.event({{"event", "waiting"}, {"input", name}});
    report.say(fmt::format("waiting for {} to send", name));
  }
  const auto wait_on = [&](const std::string& why) {
    report.event({{"event", "waiting"}, {"input", name}, {"message", why}});
    report.say(fmt::format("{}; waiting for another sender", why));
  };
  return LiveInput{options.input,   options.repeat, options.audio ? SoundChoice::kBest : SoundChoice::kNone,
                   options.fastest, stop,           wait_on};
}

class LiveJob {
 public:
  LiveJob(const LiveOptions& options, const std::atomic<bool>& stop, ProgressReport& progress)
      : options_{options},
        stop_{stop},
        report_{progress},
        publication_{options.output, Publication::Existing::kContinue, options.layout},
        // Before the input, so that a wrong directory is refused before the program waits for a source.
        beginning_{find_beginning(publication_, utc_now())},
        input_{opened(options, stop, progress)},
        plan_{input_.picture().rate, options.segment},
        progress_{progress, plan_} {}

  LiveResult run() {
    begin_stretch();
    result_.first_number = stretch_->first_number();
    const double segment = plan_.seconds(static_cast<std::uint64_t>(plan_.pictures_per_segment()));
    EncodePlan plan = plan_of(stretch_->describe(), segment, std::nullopt);
    plan.rate = input_.picture_rate();
    report_.event(plan_event(plan));
    report_.say(rate_text(*plan.rate));
    for (const std::string& remark : input_.remarks()) report_.remark(remark);
    run_stretch();
    while (!input_.lost().empty() && comes_back()) {
      begin_stretch();
      ++result_.interruptions;
      run_stretch();
    }
    complete();
    return result_;
  }

 private:
  void begin_stretch() {
    auto next = std::make_unique<LiveStretch>(options_, publication_, input_, progress_,
                                              stretch_ ? stretch_->stretches() : std::vector<Presentation>{});
    if (stretch_ && stretch_->segments() > 0) last_with_segments_ = std::move(stretch_);
    stretch_ = std::move(next);
  }

  void run_stretch() {
    stretch_->run(stop_);
    result_.segments += stretch_->segments();
    result_.pictures += stretch_->pictures();
    result_.left_out += stretch_->left_out();
  }

  bool comes_back() {
    const std::string why = input_.lost();
    report_.event({{"event", "lost"}, {"message", why}, {"patience", to_seconds(options_.reconnect)}});
    if (options_.reconnect > Duration{})
      report_.say(fmt::format("{}; waiting for it, {}", why, format_duration(options_.reconnect)));
    const auto since = std::chrono::steady_clock::now();
    if (!input_.returns_within(options_.reconnect)) return false;
    const Duration away = std::chrono::steady_clock::now() - since;
    report_.event({{"event", "back"}, {"seconds", to_seconds(away)}});
    report_.say(fmt::format("{} is back after {}", shown_name(options_.input), format_duration(away)));
    return true;
  }

  void complete() {
    LiveStretch* const last = stretch_->segments() > 0 ? stretch_.get() : last_with_segments_.get();
    if (last != nullptr) last->complete();
    progress_.end();
    result_.damage = input_.damage();
    result_.media = from_seconds(plan_.seconds(result_.pictures));
    if (!stop_ && !input_.lost().empty()) throw Failure{ExitCode::kInput, input_.lost()};
    if (last == nullptr && !stop_)
      throw Failure{ExitCode::kInput, shown_name(options_.input) + ": no picture could be decoded"};
  }

  const LiveOptions& options_;
  const std::atomic<bool>& stop_;
  ProgressReport& report_;
  const Publication publication_;
  const LiveBeginning beginning_;
  LiveInput input_;
  const SegmentPlan plan_;
  EncodeProgress progress_;
  std::unique_ptr<LiveStretch> stretch_;
  std::unique_ptr<LiveStretch> last_with_segments_;  // the last stretch before stretch_ that has segments
  LiveResult result_;
};

}  // namespace

LiveResult stream_live(const LiveOptions& options, const std::atomic<bool>& stop, ProgressReport& progress) {
  return LiveJob{options, stop, progress}.run();
}

}  // namespace tributary::segmenter
