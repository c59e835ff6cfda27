#include "download/report/get_progress.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "program/progress_bar.hh"
#include "units/text/quantity_text.hh"
#include "units/text_columns.hh"

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

std::string status_text(const GetStatus& status, std::optional<std::size_t> columns) {
  std::size_t left = columns.value_or(std::string::npos);
  const auto fitting = [&](std::string part) {
    const std::size_t wide = columns_of(part);
    if (wide > left) return std::string{};
    left -= wide;
    return part;
  };
  const bool known = status.size && *status.size > DataSize{};
  const double share = known ? status.done / *status.size : 0;
  const std::string done = fitting(known ? fmt::format("{:5.1f} %", 100 * share) : format_size(status.done));
  const bool comes = status.size && status.rate > DataRate{};
  const std::string time = fitting(comes ? "  " + time_left(*status.size - status.done, status.rate) : "");
  const std::string rate = fitting("  " + format_rate(status.rate));
  std::string links;
  for (const auto& [name, of_link] : status.links) links += fmt::format("  {} {}", name, format_rate(of_link));
  links = fitting(std::move(links));
  const std::string sizes =
      fitting(known ? fmt::format("  {} of {}", format_size(status.done), format_size(*status.size)) : "");
  return fitting(known ? bar(share) + " " : "") + done + sizes + rate + time + links;
}

void ProgressLine::show(const GetStatus& status, TimePoint at) {
  next_ = at + (lines_.is_terminal() ? Duration{250ms} : Duration{5s});
  if (lines_.is_terminal()) {
    lines_.draw(status_text(status, lines_.columns()));
  } else {
    lines_.say(status_text(status));
  }
}

void ProgressLine::say(const std::string& what) { lines_.say(what); }

void GetProgress::on_event(const Event& event, TimePoint at) {
  if (const auto* down = std::get_if<event::LinkDown>(&event)) {
    line_.say(fmt::format("link {} is gone: {}", record_.links().at(down->link).name, down->why));
  }
  if (const auto* up = std::get_if<event::LinkUp>(&event); up != nullptr && !is_lane(up->link))
    line_.say("link " + up->name + " is in use");
  if (line_.wanted(at)) line_.show(status(), at);
}

void GetProgress::on_action(const Action& action, TimePoint at) {
  if (const auto* avoid = std::get_if<action::AvoidLink>(&action)) {
    line_.say(fmt::format("link {} is avoided {}: {}", record_.links().at(link_of(avoid->link)).name,
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
