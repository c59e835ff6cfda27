#include "benchmark/progress_view.hh"

#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "program/progress_bar.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

}  // namespace

void ProgressView::on_event(const Event& event, TimePoint at) {
  if (const auto* up = std::get_if<event::LinkUp>(&event); up != nullptr && !is_lane(up->link))
    say(at, fmt::format("link {} is in use", up->name));
  if (const auto* down = std::get_if<event::LinkDown>(&event)) {
    say(at, fmt::format("link {} is gone: {}", record_.links().at(down->link).name, down->why));
  }
  if (at >= next_) show(at);
}

void ProgressView::on_action(const Action& action, TimePoint at) {
  if (const auto* avoid = std::get_if<action::AvoidLink>(&action)) {
    say(at, fmt::format("link {} is avoided {}: {}", record_.links().at(link_of(avoid->link)).name,
                        avoid->until ? fmt::format("for {}", format_duration(*avoid->until - at)) : "from now on",
                        avoid->reason));
  }
  if (const auto* stall = std::get_if<action::Stall>(&action)) say(at, fmt::format("stall: {}", stall->reason));
  if (const auto* skip = std::get_if<action::SkipSegment>(&action)) {
    say(at, fmt::format("segment {} skipped: {}{}", to_index(skip->segment), skip->reason,
                        skip->missing.empty() ? "" : " (" + skip->missing + ")"));
  }
  if (const auto* left = std::get_if<action::LeaveOut>(&action))
    say(at, fmt::format("{}: {}", left->what, left->reason));
}

void ProgressView::finish() {
  if (lines_.is_terminal()) show(record_.now());
  lines_.leave();
}

void ProgressView::show(TimePoint at) {
  next_ = at + (lines_.is_terminal() ? Duration{250ms} : Duration{5s});
  std::vector<std::string> lines{status_line(at)};
  if (!lines_.is_terminal()) return lines_.say(lines.front());
  for (const auto& [id, link] : record_.links()) lines.push_back(link_line(id, link));
  lines_.draw(lines);
}

void ProgressView::say(TimePoint at, const std::string& what) {
  lines_.say(fmt::format("{:7.2f} s  {}", to_seconds(at), what));
  if (lines_.is_terminal()) show(at);
}

std::string ProgressView::status_line(TimePoint at) const {
  std::size_t complete = 0;
  Duration buffered{};
  const SegmentRecord* newest = nullptr;
  const SegmentRecord* playing = nullptr;
  for (const auto& [index, s] : record_.segments()) {
    if (s.requested) newest = &s;
    if (!s.complete) continue;
    ++complete;
    if (s.played) {
      playing = &s;
    } else {
      buffered += record_.table().duration(index);
    }
  }
  return fmt::format("{:7.2f} s  {}  segment {}/{}  buffer {:4.1f} s  quality {}", to_seconds(at),
                     playing != nullptr ? fmt::format("playing {:>4}", to_index(playing->segment)) : "starting    ",
                     complete, record_.table().segment_count(), to_seconds(buffered),
                     newest != nullptr ? record_.table().quality_name(newest->quality) : "-");
}

std::string ProgressView::link_line(LinkId id, const LinkRecord& link) const {
  DataSize total;
  for (const auto& [other, l] : record_.links()) total += l.received;
  const double share = total > DataSize{} ? link.received / total : 0;
  return fmt::format("  {:<12} {} {:5.1f} %  {:>11}  {:>7}  {}", link.name, bar(share), 100 * share,
                     format_rate(recent_rate(record_, id)), format_size(link.received),
                     !link.up               ? "gone"
                     : link.outstanding > 0 ? fmt::format("{} outstanding", link.outstanding)
                                            : "idle");
}

}  // namespace tributary
