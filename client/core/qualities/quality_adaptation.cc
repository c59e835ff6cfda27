#include "core/qualities/quality_adaptation.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/qualities/adaptations/bba_adaptation.hh"
#include "core/qualities/adaptations/bola_adaptation.hh"
#include "core/qualities/adaptations/dynamic_adaptation.hh"
#include "core/qualities/adaptations/fixed_quality.hh"
#include "core/qualities/adaptations/l2a_adaptation.hh"
#include "core/qualities/adaptations/lol_plus_adaptation.hh"
#include "core/qualities/adaptations/planned_adaptation.hh"
#include "core/qualities/adaptations/robust_mpc_adaptation.hh"
#include "core/qualities/adaptations/thesis_adaptation.hh"
#include "core/qualities/adaptations/throughput_adaptation.hh"

namespace tributary {
namespace {

using Made = std::unique_ptr<QualityAdaptation>;
using NamedAdaptation = std::pair<std::string_view, Made (*)(const Rules&, const Experience&)>;

template <typename Adaptation>
Made make_usual(const Rules& /*rules*/, const Experience& /*experience*/) {
  return std::make_unique<Adaptation>();
}

const BolaAdaptation::Title kFinite = BolaAdaptation::Title::kFinite;

constexpr std::array<NamedAdaptation, 11> kAdaptations{{
    {"planned",
     [](const Rules& rules, const Experience& experience) -> Made {
       return std::make_unique<PlannedAdaptation>(rules, experience);
     }},
    {"throughput", make_usual<ThroughputAdaptation>},
    {"bola", make_usual<BolaAdaptation>},
    {"bola-finite", [](const Rules&, const Experience&) -> Made { return std::make_unique<BolaAdaptation>(kFinite); }},
    {"dynamic", make_usual<DynamicAdaptation>},
    {"dynamic-finite",
     [](const Rules&, const Experience&) -> Made {
       return std::make_unique<DynamicAdaptation>(BolaAdaptation{kFinite});
     }},
    {"bba", make_usual<BbaAdaptation>},
    {"robust-mpc",
     [](const Rules&, const Experience& experience) -> Made {
       return std::make_unique<RobustMpcAdaptation>(experience);
     }},
    {"lol-plus", make_usual<LolPlusAdaptation>},
    {"l2a-ll", make_usual<L2aAdaptation>},
    {"thesis", make_usual<ThesisAdaptation>},
}};
constexpr std::string_view kFixed = "fixed:";

std::unique_ptr<QualityAdaptation> make_fixed(const std::string& name, const std::string& quality_name,
                                              const SegmentTable& table) {
  const auto quality = table.qualities().find(quality_name);
  if (quality) return std::make_unique<FixedQuality>(*quality);
  std::string known;
  for (std::size_t q = 0; q < table.quality_count(); ++q) {
    known += (q == 0 ? "" : ", ") + table.quality_name(static_cast<QualityIndex>(q));
  }
  throw std::invalid_argument(fmt::format("adaptation \"{}\": the presentation has the qualities {}", name, known));
}

/// The user waits for this segment.
QualityChoice first_by_memory(const AdaptationInput& input, const SegmentTable& table) {
  constexpr double kWithin = 0.25;
  const double most = kWithin * to_seconds(table.duration(input.segment));
  std::size_t quality = table.quality_count() - 1;
  const auto takes = [&] {
    return to_seconds(table.size(input.segment, static_cast<QualityIndex>(quality)) / *input.throughput);
  };
  while (quality > 0 && takes() > most) --quality;
  const auto chosen = static_cast<QualityIndex>(quality);
  return {chosen, fmt::format("{} comes in {:.3f} s at {:.0f} kbit/s, half of what is remembered",
                              table.quality_name(chosen), takes(), input.throughput->kilobits_per_second())};
}

}  // namespace

Duration level_at_transfer(const AdaptationInput& input) {
  Duration level = input.time_left_playout + input.buffered;
  const bool playing = input.time_left_playout > Duration::zero();
  if (playing && input.throughput && input.throughput->bits_per_second() > 0) {
    level = std::max(level - input.bytes_left / *input.throughput, Duration::zero());
  }
  return level + input.under_way;
}

std::optional<QualityChoice> choice_before_measurements(const AdaptationInput& input, const SegmentTable& table) {
  if (input.first)
    return QualityChoice{table.highest_quality(), "the first segment, which cannot miss: highest quality"};
  if (!input.throughput || input.throughput->bits_per_second() <= 0)
    return QualityChoice{QualityIndex{0}, "no throughput measured yet: lowest"};
  if (input.begins_by_memory && input.buffered + input.under_way == Duration::zero())
    return first_by_memory(input, table);
  return std::nullopt;
}

std::string adaptation_names() {
  return fmt::format("{}, or {}QUALITY", fmt::join(kAdaptations | std::views::keys, ", "), kFixed);
}

std::unique_ptr<QualityAdaptation> make_adaptation(const std::string& name, const SegmentTable& table,
                                                   const Rules& rules, const Experience& experience) {
  const auto found = std::ranges::find(kAdaptations, name, &NamedAdaptation::first);
  if (found != kAdaptations.end()) return found->second(rules, experience);
  if (name.starts_with(kFixed)) return make_fixed(name, name.substr(kFixed.size()), table);
  throw std::invalid_argument(fmt::format("unknown adaptation \"{}\": expected {}", name, adaptation_names()));
}

}  // namespace tributary
