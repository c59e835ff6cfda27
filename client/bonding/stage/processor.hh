#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "bonding/filtering/dupack_filter.hh"
#include "bonding/stage/pipes_adapter.hh"

namespace tributary::bonding {

/// One way that a packet takes from here.
struct Delivery {
  std::optional<PipeId> pipe;  // nothing: as if there were no stage
  TimePoint at;                // later than now: delayed until then
};
/// What becomes of a packet: one delivery delivers or delays it, several duplicate it, and none drops it.
using Decision = std::vector<Delivery>;

struct EmployedPipe {
  PipeId id;
  Duration round_trip;
};

/// Decides what becomes of the segments and acknowledgments of one connection. Sees no packet, and knows neither clock nor pipes but by
/// what it is told.
class Processor {
 public:
  virtual ~Processor() = default;

  virtual void employ(const EmployedPipe& pipe) = 0;
  virtual void withdraw(PipeId pipe) = 0;
  /// At least one pipe is employed.
  virtual Decision data(const DataSegment& segment, TimePoint now) = 0;
  virtual Decision acknowledgment(const Acknowledgment& acknowledgment, TimePoint now) = 0;
};

/// "round-robin", "dupack-filter".
std::vector<std::string_view> processor_names();
/// Throws std::invalid_argument for another name.
std::unique_ptr<Processor> make_processor(std::string_view name);

}  // namespace tributary::bonding
