#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "presentation/segment_table.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// What is known when the quality of a segment is chosen.
struct AdaptationInput {
  SegmentIndex segment{};
  bool first = false;                  // of the session
  std::optional<DataRate> throughput;  // aggregate over the links that can be used
  Duration time_left_playout{};        // of the segment being played
  Duration buffered{};                 // complete segments that are not yet playing
  DataSize bytes_left;                 // requested (or to be requested again) and not yet received
};

struct QualityChoice {
  QualityIndex quality{};
  std::string reason;
};

/// Decides in which quality a segment is requested, once, before its first byte is asked for. Pure: the same
/// input gives the same answer.
class QualityAdaptation {
 public:
  virtual ~QualityAdaptation() = default;
  virtual QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) const = 0;
};

/// "thesis", or "fixed:QUALITY" with a quality of the table. Throws std::invalid_argument that lists what
/// there is.
std::unique_ptr<QualityAdaptation> make_adaptation(const std::string& name, const SegmentTable& table);

}  // namespace tributary
