#include "core/qualities/adaptations/thesis_adaptation.hh"

#include <fmt/format.h>

namespace tributary {

QualityChoice ThesisAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  if (const auto choice = choice_before_measurements(input, table)) return *choice;
  const DataRate throughput = *input.throughput;
  const Duration transfer_deadline = input.time_left_playout + input.buffered;
  const Duration pipeline_delay = input.bytes_left / throughput;
  const Duration budget = transfer_deadline - pipeline_delay;
  for (std::size_t q = table.quality_count(); q-- > 0;) {
    const auto quality = static_cast<QualityIndex>(q);
    const Duration transfer_time = table.size(input.segment, quality) / throughput;
    if (transfer_time < budget) {
      return {quality, fmt::format("{} takes {:.3f} s at {:.0f} kbit/s, {:.3f} s are left", table.quality_name(quality),
                                   to_seconds(transfer_time), throughput.kilobits_per_second(), to_seconds(budget))};
    }
  }
  return {QualityIndex{0}, fmt::format("nothing fits in {:.3f} s at {:.0f} kbit/s: lowest", to_seconds(budget),
                                       throughput.kilobits_per_second())};
}

}  // namespace tributary
