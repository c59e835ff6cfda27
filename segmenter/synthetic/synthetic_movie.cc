#include "segmenter/synthetic/synthetic_movie.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "presentation/json/json_node.hh"
#include "presentation/resource_uri.hh"

namespace tributary::segmenter {
namespace {

using namespace literals;

/// Thesis Table 4.1.
struct RateRange {
  const char* name;
  DataRate minimum, average, maximum;
};
constexpr std::array<RateRange, 4> kThesisRates{{{"low", 524_kbps, 746_kbps, 1057_kbps},
                                                 {"medium", 866_kbps, 1300_kbps, 1923_kbps},
                                                 {"high", 1491_kbps, 2142_kbps, 3293_kbps},
                                                 {"super", 2212_kbps, 3010_kbps, 4884_kbps}}};

/// Numbers from 0 to 1. The standard's distributions differ from library to library, its engines do not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_{seed} {}
  double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

/// The activity in each segment: scenes of 3 to 9 segments on a level of their own, with smooth transitions and some
/// bursts.
std::vector<double> activity(Random& random, std::size_t segments) {
  constexpr double kEasing = 0.55, kBurstProbability = 0.06, kBurstDecay = 0.4, kTexture = 0.15;
  std::vector<double> levels;
  double scene = random.fraction(), level = scene, burst = 0;
  for (std::size_t left = 0; levels.size() < segments; --left) {
    if (left == 0) {
      scene = random.fraction();
      left = 3 + static_cast<std::size_t>(random.fraction() * 7);
    }
    level += kEasing * (scene - level);
    burst = random.fraction() < kBurstProbability ? 0.6 + 0.6 * random.fraction() : kBurstDecay * burst;
    levels.push_back(level + burst + kTexture * random.fraction());
  }
  return levels;
}

/// The activity from 0 to 1, a little different in each quality. Segment 0 is at neither end.
std::vector<double> shape_for_quality(Random& random, const std::vector<double>& levels) {
  constexpr double kOwn = 0.06;
  std::vector<double> shape = levels;
  for (double& value : shape) value += kOwn * random.fraction();
  const auto [low, high] = std::minmax_element(shape.begin() + 1, shape.end());
  const double bottom = *low, range = *high - *low;
  for (double& value : shape) value = (value - bottom) / range;
  shape[0] = std::clamp(shape[0], 0.2, 0.8);
  return shape;
}

/// The power that gives the shape this mean. The mean falls steadily with the power.
double power_for_mean(const std::vector<double>& shape, double mean) {
  double small = 0.01, large = 100;
  for (int step = 0; step < 200; ++step) {
    const double power = (small + large) / 2;
    const double sum = std::accumulate(shape.begin(), shape.end(), 0.0,
                                       [&](double total, double value) { return total + std::pow(value, power); });
    (sum > mean * static_cast<double>(shape.size()) ? small : large) = power;
  }
  return small;
}

/// Sizes of the given shape with exactly this minimum, maximum and mean.
std::vector<DataSize> sizes_of(const std::vector<double>& shape, DataSize minimum, DataSize mean, DataSize maximum) {
  const DataSize range = maximum - minimum;
  const double power = power_for_mean(shape, (mean - minimum) / range);
  std::vector<DataSize> sizes;
  for (const double value : shape) sizes.push_back(minimum + scale(range, std::pow(value, power)));
  DataSize missing = static_cast<std::int64_t>(shape.size()) * mean - std::accumulate(sizes.begin(), sizes.end(), 0_B);
  // Gives back the bytes that rounding took, one to each size that is neither minimum nor maximum.
  for (std::size_t i = 0; missing != 0_B; i = (i + 1) % sizes.size()) {
    const DataSize step = missing > 0_B ? 1_B : DataSize{-1};
    if (sizes[i] + step <= minimum || sizes[i] + step >= maximum || sizes[i] == minimum || sizes[i] == maximum)
      continue;
    sizes[i] += step;
    missing -= step;
  }
  return sizes;
}

std::string read_quality_name(const JsonNode& names, std::size_t index) {
  const JsonNode node = names.element(index);
  std::string name = node.text();
  if (const auto why = why_not_below_index(name)) node.refuse(*why);
  if (name.find('/') != std::string::npos) node.refuse("a name has no \"/\"");
  for (std::size_t i = 0; i < index; ++i) {
    if (names.element(i).text() == name) node.refuse("the name is used twice");
  }
  return name;
}

DataSize read_size_in_bits(const JsonNode& node) {
  constexpr std::int64_t kMostBits = std::int64_t{1} << 40;
  return DataSize{(node.integer("a size in bits, from 8 to 2^40", 8, kMostBits) + 4) / 8};
}

}  // namespace

SyntheticMovie read_movie(std::string_view json) {
  const nlohmann::json document = parse_json(json);
  const JsonNode root{document, ""};
  SyntheticMovie movie;
  movie.segment_ms = static_cast<std::uint32_t>(
      root.member("segment_duration_ms").integer("a duration in ms, up to an hour", 1, 3600000));
  const JsonNode rates = root.member("bitrates_kbps");
  const auto names = root.find("quality_names");
  if (rates.size() == 0) rates.refuse("there is no quality");
  if (names && names->size() != rates.size()) names->refuse(fmt::format("expected {} names", rates.size()));
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double kbit_s = rates.element(i).number();
    if (!(kbit_s > 0 && kbit_s < 1e9)) rates.element(i).refuse("not a rate in kbit/s");
    movie.qualities.push_back(
        {names ? read_quality_name(*names, i) : fmt::format("q{}", i), DataRate::bits_per_second(1e3 * kbit_s), {}});
  }
  const JsonNode segments = root.member("segment_sizes_bits");
  if (segments.size() == 0) segments.refuse("there is no segment");
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const JsonNode segment = segments.element(s);
    if (segment.size() != rates.size()) segment.refuse(fmt::format("expected {} sizes, one a quality", rates.size()));
    for (std::size_t q = 0; q < rates.size(); ++q) {
      movie.qualities[q].sizes.push_back(read_size_in_bits(segment.element(q)));
    }
  }
  return movie;
}

SyntheticMovie thesis_movie(std::uint64_t seed, std::size_t segments) {
  assert(segments >= 10);
  SyntheticMovie movie;
  const Duration duration = std::chrono::milliseconds{movie.segment_ms};
  Random random{seed};
  const std::vector<double> levels = activity(random, segments);
  for (const RateRange& range : kThesisRates) {
    movie.qualities.push_back({range.name, range.average,
                               sizes_of(shape_for_quality(random, levels), range.minimum * duration,
                                        range.average * duration, range.maximum * duration)});
  }
  return movie;
}

}  // namespace tributary::segmenter
