#include "segmenter/libav/picture_rate.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tributary::segmenter {
namespace {

/// The rates for pictures of a varying rate. A constant rate may be any.
constexpr std::array<FrameRate, 18> kEasyToShow{{{1, 1},
                                                 {2, 1},
                                                 {5, 1},
                                                 {10, 1},
                                                 {12, 1},
                                                 {15, 1},
                                                 {20, 1},
                                                 {24000, 1001},
                                                 {24, 1},
                                                 {25, 1},
                                                 {30000, 1001},
                                                 {30, 1},
                                                 {50, 1},
                                                 {60000, 1001},
                                                 {60, 1},
                                                 {100, 1},
                                                 {120000, 1001},
                                                 {120, 1}}};
/// As a ratio: 24 and 24000/1001 are closer than this.
constexpr double kNearlyTheSame = 2e-3;
/// The share of pictures that a stated rate may lose: times of a few may be damaged, or parts were put together.
constexpr double kHardlyAny = 1e-3;
constexpr double kMostFrames = 30.5;

/// Pictures that would share their place in the constant rate with the next one; the filter rounds in the same way.
std::uint64_t lost_at(FrameRate rate, const PictureTimes& known) {
  const AVRational place{rate.den, rate.num};
  std::uint64_t lost = 0;
  std::optional<std::int64_t> last;
  for (const std::int64_t time : known.times) {
    const std::int64_t at = av_rescale_q_rnd(time, known.time_base, place, AV_ROUND_NEAR_INF);
    lost += last == at;
    last = at;
  }
  return lost;
}

/// The sum of the distances by which pictures are moved.
double moved_at(FrameRate rate, const PictureTimes& known) {
  double moved = 0;
  for (const std::int64_t time : known.times) {
    const double place = static_cast<double>(time) * av_q2d(known.time_base) * rate.per_second();
    moved += std::abs(place - std::round(place));
  }
  return moved;
}

bool is_too_fast(FrameRate rate, int fastest) { return rate.per_second() > fastest + 1e-9; }

/// Divides the rate by a whole number, so that pictures stay evenly spaced: 60 of 120, 50 of 100, 48 of 144.
FrameRate divided(FrameRate rate, int fastest) {
  int by = 1;
  while (rate.per_second() / by > fastest + 1e-9) ++by;
  AVRational exact{};
  av_reduce(&exact.num, &exact.den, rate.num, std::int64_t{rate.den} * by, INT32_MAX);
  return {exact.num, exact.den};
}

/// The lowest rate that loses the fewest pictures; of two nearly equal rates, the one that moves pictures less.
FrameRate least_loss(const PictureTimes& known, int fastest) {
  std::optional<FrameRate> best;
  std::uint64_t least = 0;
  for (const FrameRate rate : kEasyToShow) {
    if (is_too_fast(rate, fastest)) break;
    const std::uint64_t lost = lost_at(rate, known);
    const bool better = best && lost == least && rate.per_second() / best->per_second() < 1 + kNearlyTheSame &&
                        moved_at(rate, known) < moved_at(*best, known);
    if (!best || lost < least || better) {
      best = rate;
      least = lost;
    }
  }
  return best.value_or(FrameRate{1, 1});
}

FrameRate not_below(FrameRate average, int fastest) {
  FrameRate chosen{1, 1};
  for (const FrameRate rate : kEasyToShow) {
    if (is_too_fast(rate, fastest)) break;
    chosen = rate;
    if (rate.per_second() >= average.per_second() - 0.01) break;
  }
  return chosen;
}

FrameRate of_fields(FrameRate rate) {
  AVRational twice{};
  av_reduce(&twice.num, &twice.den, std::int64_t{2} * rate.num, rate.den, INT32_MAX);
  return {twice.num, twice.den};
}

FrameRate of_varying(const StatedRate& stated, int fastest, const std::optional<PictureTimes>& known) {
  if (known) return least_loss(*known, fastest);
  const bool base_will_do = stated.base.num > 0 && stated.base.den > 0 && !is_too_fast(stated.base, fastest);
  return not_below(base_will_do ? stated.base : stated.average, fastest);
}

}  // namespace

PictureRate choose_picture_rate(const StatedRate& stated, int fastest, const std::optional<PictureTimes>& known) {
  using Source = PictureRate::Source;
  const auto lost = [&](FrameRate rate) { return known ? std::optional{lost_at(rate, *known)} : std::nullopt; };
  if (auto constant = constant_rate(stated.average, stated.base)) {
    const bool fields = stated.interlaced && constant->per_second() <= kMostFrames;
    if (fields) constant = of_fields(*constant);
    if (is_too_fast(*constant, fastest)) {
      const FrameRate slower = divided(*constant, fastest);
      return {slower, Source::kFaster, lost(slower)};
    }
    const auto missing = lost(*constant);
    if (!known || static_cast<double>(*missing) <= kHardlyAny * static_cast<double>(known->times.size()))
      return {*constant, fields ? Source::kFields : Source::kConstant, missing};
  }
  FrameRate rate = of_varying(stated, fastest, known);
  if (stated.interlaced && rate.per_second() <= kMostFrames && !is_too_fast(of_fields(rate), fastest))
    rate = of_fields(rate);
  return {rate, Source::kVarying, lost(rate)};
}

std::string source_name(PictureRate::Source source) {
  constexpr std::array<const char*, 4> kNames{"constant", "varying", "fields", "faster"};
  return kNames[static_cast<std::size_t>(source)];
}

std::string rate_text(const PictureRate& rate) {
  std::string text = fmt::format("{:.5g} pictures a second", rate.rate.per_second());
  switch (rate.source) {
    case PictureRate::Source::kConstant:
      break;
    case PictureRate::Source::kVarying:
      text += ", of a source whose rate varies";
      break;
    case PictureRate::Source::kFields:
      text += ", one of each field";
      break;
    case PictureRate::Source::kFaster:
      text += ", fewer than the source has (--max-frame-rate)";
      break;
  }
  if (rate.lost.value_or(0) > 0) text += fmt::format("; pictures left out: {}", *rate.lost);
  return text;
}

}  // namespace tributary::segmenter
