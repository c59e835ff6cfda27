#include "player/links_panel/chart_model.hh"

#include <algorithm>
#include <cmath>

namespace tributary::play {
namespace {

double megabits(DataRate rate) { return rate.bits_per_second() / 1e6; }

std::vector<ChartModel::Area> stacked_areas(const StreamStatus& status) {
  std::vector<ChartModel::Area> areas;
  std::vector<double> below(status.history.size(), 0);
  for (const LinkStatus& link : status.links) {
    ChartModel::Area area{.link = link.id, .name = link.name, .upper = {}, .lower = below};
    for (std::size_t i = 0; i < status.history.size(); ++i) {
      const StatusSample& sample = status.history[i];
      const std::size_t index = to_index(link.id);
      if (index < sample.rates.size()) below[i] += megabits(sample.rates[index]);
      area.upper.push_back({to_seconds(sample.at - status.now), below[i]});
    }
    areas.push_back(std::move(area));
  }
  return areas;
}

/// Joins adjacent samples of the same kind to one span. The last span lasts until now.
template <typename Span, typename Same, typename Make>
std::vector<Span> spans(const StreamStatus& status, Same same, Make make) {
  std::vector<Span> result;
  for (std::size_t i = 0; i < status.history.size();) {
    std::size_t end = i + 1;
    while (end < status.history.size() && same(status.history[i], status.history[end])) ++end;
    const TimePoint until = end < status.history.size() ? status.history[end].at : status.now;
    make(result, status.history[i], to_seconds(status.history[i].at - status.now), to_seconds(until - status.now));
    i = end;
  }
  return result;
}

std::vector<ChartModel::Moment> moments(const StreamStatus& status) {
  std::vector<ChartModel::Moment> result;
  for (const StatusSample& sample : status.history) {
    ChartModel::Moment moment{.x = to_seconds(sample.at - status.now),
                              .megabits = {},
                              .buffered_s = to_seconds(sample.buffered),
                              .quality = sample.quality,
                              .stalled = sample.stalled};
    for (const LinkStatus& link : status.links) {
      const std::size_t index = to_index(link.id);
      moment.megabits.push_back(index < sample.rates.size() ? megabits(sample.rates[index]) : 0);
    }
    result.push_back(std::move(moment));
  }
  return result;
}

}  // namespace

const ChartModel::Moment* ChartModel::nearest(double x) const {
  const auto found =
      std::ranges::min_element(moments, {}, [x](const Moment& moment) { return std::abs(moment.x - x); });
  return found == moments.end() ? nullptr : &*found;
}

ChartModel chart_model(const StreamStatus& status) {
  ChartModel model;
  constexpr double kShortest = 60, kLongest = 300;
  if (!status.history.empty()) {
    model.seconds = std::clamp(-to_seconds(status.history.front().at - status.now), kShortest, kLongest);
  }
  model.areas = stacked_areas(status);
  double most_rate = 0, most_buffer = 0;
  if (!model.areas.empty()) {
    for (const auto& point : model.areas.back().upper) most_rate = std::max(most_rate, point.y);
  }
  for (const StatusSample& sample : status.history) {
    model.buffer.push_back({to_seconds(sample.at - status.now), to_seconds(sample.buffered)});
    most_buffer = std::max(most_buffer, to_seconds(sample.buffered));
  }
  model.most_megabits = round_number_above(std::max(most_rate, 0.1));
  model.most_buffer = round_number_above(std::max(most_buffer, 5.0));
  model.steps = spans<ChartModel::Step>(
      status, [](const auto& a, const auto& b) { return a.quality == b.quality; },
      [](auto& steps, const StatusSample& sample, double from, double to) {
        if (sample.quality) steps.push_back({from, to, *sample.quality});
      });
  model.stalls = spans<ChartModel::Span>(
      status, [](const auto& a, const auto& b) { return a.stalled == b.stalled; },
      [](auto& stalls, const StatusSample& sample, double from, double to) {
        if (sample.stalled) stalls.push_back({from, to});
      });
  model.moments = moments(status);
  return model;
}

double round_number_above(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (value <= step * power * (1 + 1e-9)) return step * power;
  }
  return 10 * power;
}

std::vector<double> time_ticks(double seconds) {
  double step = 15;
  for (const double wider : {30.0, 60.0}) {
    if (seconds / step > 5) step = wider;
  }
  std::vector<double> ticks;
  for (double x = -std::floor(seconds / step) * step; x <= 0; x += step) ticks.push_back(x);
  return ticks;
}

}  // namespace tributary::play
