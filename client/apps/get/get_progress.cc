#include "apps/get/get_progress.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "apps/common/progress_bar.hh"
#include "units/quantity_text.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

std::string time_left(DataSize left, DataRate rate) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(left / rate).count();
  if (seconds >= 360'000) return "long left";
  const std::string minutes =
      seconds < 3600 ? fmt::format("{}", seconds / 60) : fmt::format("{}:{:02}", seconds / 3600, seconds / 60 % 60);
  return fmt::format("{}:{:02} left", minutes, seconds % 60);
}

}  // namespace

std::string status_text(const GetStatus& status) {
  std::string text;
  if (status.size && *status.size > DataSize{}) {
    const double share = status.done / *status.size;
    text = fmt::format("{} {:5.1f} %  {} of {}", bar(share), 100 * share, format_size(status.done),
                       format_size(*status.size));
  } else {
    text = format_size(status.done);
  }
  text += "  " + format_rate(status.rate);
  if (status.size && status.rate > DataRate{}) text += "  " + time_left(*status.size - status.done, status.rate);
  for (const auto& [name, rate] : status.links) text += fmt::format("  {} {}", name, format_rate(rate));
  return text;
}

void ProgressLine::show(const GetStatus& status, TimePoint at) {
  next_ = at + (lines_.is_terminal() ? Duration{250ms} : Duration{5s});
  const std::string line = status_text(status);
  if (lines_.is_terminal()) {
    lines_.draw(line);
  } else {
    lines_.say(line);
  }
}

void ProgressLine::say(const std::string& what) { lines_.say(what); }

void GetProgress::on_event(const Event& event, TimePoint at) {
  if (const auto* down = std::get_if<event::LinkDown>(&event)) {
    line_.say(fmt::format("link {} is gone: {}", record_.links().at(down->link).name, down->why));
  }
  if (const auto* up = std::get_if<event::LinkUp>(&event)) line_.say("link " + up->name + " is in use");
  if (line_.wanted(at)) line_.show(status(), at);
}

void GetProgress::on_action(const Action& action, TimePoint at) {
  if (const auto* avoid = std::get_if<action::AvoidLink>(&action)) {
    line_.say(fmt::format("link {} is avoided {}: {}", record_.links().at(avoid->link).name,
                          avoid->until ? fmt::format("for {}", format_duration(*avoid->until - at)) : "from now on",
                          avoid->reason));
  }
  if (std::holds_alternative<action::Finish>(action)) line_.show(status(), at);
}

void GetProgress::add(const Brought& more, GetStatus& status) {
  status.done += more.size;
  status.rate += more.rate;
  const auto link = std::ranges::find(status.links, more.link, &std::pair<std::string, DataRate>::first);
  if (link != status.links.end()) {
    link->second += more.rate;
  } else {
    status.links.emplace_back(more.link, more.rate);
  }
}

GetStatus GetProgress::status() const {
  const DataSize size = size_();
  GetStatus status{before_, size, {}, {}};
  for (const auto& [id, link] : record_.links()) {
    status.done += link.received;
    status.links.emplace_back(link.name, recent_rate(record_, id));
    status.rate += status.links.back().second;
  }
  if (beside_) add(beside_(), status);
  status.done = std::min(status.done, size);  // bytes may have come twice
  return status;
}

}  // namespace tributary
