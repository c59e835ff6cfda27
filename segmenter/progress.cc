#include "segmenter/progress.hh"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "units/text/printed_text.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::max(0.0, seconds) + 0.5);
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string rates_text(const ProgressState& state) {
  std::string text;
  for (const auto& [name, rate] : state.rates) text += fmt::format("  {} {:.0f}k", name, rate.kilobits_per_second());
  return text;
}

nlohmann::ordered_json progress_event(const ProgressState& state) {
  const double media = to_seconds(state.media);
  const double elapsed = std::max(to_seconds(state.elapsed), 1e-3);
  nlohmann::ordered_json event{{"event", "progress"}, {"seconds", media}};
  if (state.pictures) event["pictures"] = *state.pictures;
  event["elapsed"] = elapsed;
  event["speed"] = media / elapsed;
  if (!state.pass.empty()) event["pass"] = state.pass;
  if (state.expected && *state.expected > 0s) {
    const double expected = to_seconds(*state.expected);
    event["expected"] = expected;
    event["percent"] = std::min(100.0, 100 * media / expected);
    if (media > 0) event["left"] = std::max(0.0, expected - media) * elapsed / media;
  }
  for (const auto& [name, rate] : state.rates) event["rates"][name] = rate.whole_bits_per_second();
  return event;
}

}  // namespace

std::string progress_line(const ProgressState& state) {
  const std::string pass = state.pass.empty() ? "" : fmt::format("{}  ", state.pass);
  const double media = to_seconds(state.media);
  const double elapsed = std::max(to_seconds(state.elapsed), 1e-3);
  const double speed = media / elapsed;
  const std::string rates =
      (state.pictures ? fmt::format("{:.0f} fps  ", static_cast<double>(*state.pictures) / elapsed) : "") +
      fmt::format("{:.1f}x", speed);
  if (!state.expected || *state.expected <= 0s) {
    const std::string left_out = state.left_out > 0 ? fmt::format("  left out {}", state.left_out) : "";
    return fmt::format("{}segment {}  {}  {}{}{}", pass, state.segment, clock_text(media), rates, left_out,
                       rates_text(state));
  }
  const double expected = to_seconds(*state.expected);
  const double left = std::max(0.0, expected - media);
  return fmt::format("{}{:.1f} %  segment {}  {}/{}  {}  ETA {}{}", pass, std::min(100.0, 100 * media / expected),
                     state.segment, clock_text(media), clock_text(expected), rates,
                     speed > 0 ? clock_text(left / speed) : "--:--:--", rates_text(state));
}

void ProgressReport::event(const nlohmann::ordered_json& event) {
  if (mode_ != Mode::kJson) return;
  print_text(out_, "{}\n", event.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  std::fflush(out_);
}

void ProgressReport::say(const std::string& text) {
  if (mode_ == Mode::kJson || mode_ == Mode::kNone) return;
  lines_.say(text);
}

void ProgressReport::remark(const std::string& text) {
  event({{"event", "remark"}, {"message", text}});
  say("tributary-segment: " + text);
}

void ProgressReport::last(const ProgressState& state) { event(progress_event(state)); }

void ProgressReport::update(const ProgressState& state) {
  if (state.elapsed < last_) last_ = {};  // the next pass has begun
  const Duration pause = mode_ == Mode::kJson ? Duration{1s} : lines_.is_terminal() ? Duration{500ms} : Duration{10s};
  if (mode_ == Mode::kNone || state.elapsed - last_ < pause) return;
  last_ = state.elapsed;
  if (mode_ == Mode::kJson) return event(progress_event(state));
  const std::string line = progress_line(state);
  if (lines_.is_terminal()) {
    lines_.draw(line);
  } else {
    lines_.say(line);
  }
}

}  // namespace tributary::segmenter
