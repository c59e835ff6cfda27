#include "core/quality_adaptation.hh"

#include <fmt/format.h>

#include <stdexcept>

#include "core/fixed_quality.hh"
#include "core/thesis_adaptation.hh"

namespace tributary {

std::unique_ptr<QualityAdaptation> make_adaptation(const std::string& name, const SegmentTable& table) {
  static constexpr std::string_view kFixed = "fixed:";
  if (name == "thesis") return std::make_unique<ThesisAdaptation>();
  std::string known;
  for (std::size_t q = 0; q < table.quality_count(); ++q) {
    known += (q == 0 ? "" : ", ") + table.quality_name(static_cast<QualityIndex>(q));
  }
  if (!name.starts_with(kFixed)) {
    throw std::invalid_argument(
        fmt::format("unknown adaptation \"{}\": expected thesis or fixed:QUALITY", name));
  }
  const auto quality = table.find_quality(name.substr(kFixed.size()));
  if (!quality) {
    throw std::invalid_argument(
        fmt::format("adaptation \"{}\": the presentation has the qualities {}", name, known));
  }
  return std::make_unique<FixedQuality>(*quality);
}

}  // namespace tributary
