#include "core/thesis_adaptation.hh"

#include <fmt/format.h>

namespace tributary {

QualityChoice ThesisAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  if (input.first) return {table.highest_quality(), "the first segment, which cannot miss: highest quality"};
  const QualityIndex lowest{0};
  if (!input.throughput || input.throughput->bits_per_second() <= 0)
    return {lowest, "no throughput measured yet: lowest"};
  const DataRate throughput = *input.throughput;
  const Duration transfer_deadline = input.time_left_playout + input.buffered;
  const Duration pipeline_delay = input.bytes_left / throughput;
  const Duration budget = transfer_deadline - pipeline_delay;
  for (std::size_t q = table.quality_count(); q-- > 0;) {
    const auto quality = static_cast<QualityIndex>(q);
    const Duration transfer_time = table.size(input.segment, quality) / throughput;
    if (transfer_time < budget) {
      return {quality, fmt::format("{} takes {:.3f} s at {:.0f} kbit/s, {:.3f} s are left",
                                   table.quality_name(quality), to_seconds(transfer_time),
                                   throughput.kilobits_per_second(), to_seconds(budget))};
    }
  }
  return {lowest, fmt::format("nothing fits in {:.3f} s at {:.0f} kbit/s: lowest", to_seconds(budget),
                              throughput.kilobits_per_second())};
}

}  // namespace tributary
