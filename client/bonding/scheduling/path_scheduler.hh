#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bonding/scheduling/flow.hh"
#include "bonding/scheduling/subflow.hh"
#include "bonding/windows/path_window.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"

namespace tributary::bonding {

/// A path on which packets may be sent, as schedulers see it.
struct PathView {
  PathId id{};
  double window = 0;  // in packets
  InFlight in_flight;
  std::optional<TimePoint> opens_at;    // for this packet; nothing: not before the next feedback
  std::optional<DataRate> rate;         // as measured
  std::optional<Duration> least_delay;  // the least round trip
  Duration overdue{};                   // how long the oldest packet on its way has had no answer when it should have
  double loss = 0;                      // fraction of the packets of the last seconds
  TimePoint last_used{};                // TimePoint{}: never
};

/// The packet to be sent, and what waits behind it.
struct NextPacket {
  DataSize size;
  Flow flow{};
  DataSize backlog;  // with this packet
  Subflow subflow{};
  std::span<const SubflowRate> subflows{};  // of late, the most important first; with this one
};

/// Decides over which path the next inner packet goes. Sends nothing; chosen() tells what became of the decision.
class PathScheduler {
 public:
  virtual ~PathScheduler() = default;

  /// One of `paths`, which are in the order of their ids; nothing: none of them now. Ties go to the lower id, where
  /// nothing else is said.
  virtual std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) = 0;
  /// The packet is sent over this path.
  virtual void chosen(PathId /*path*/, const NextPacket& /*packet*/) {}
};

/// A scheduler by its name, and what belongs to it.
enum class WhenClosed { kDrop, kWait };
struct SchedulerKind {
  std::string_view name;
  WindowKind window = WindowKind::kPaced;
  WhenClosed when_closed = WhenClosed::kWait;
  bool by_trains = false;  // rates come of packet trains (probing/packet_train.hh), and else of feedback
  std::unique_ptr<PathScheduler> (*make)(std::uint64_t seed) = nullptr;  // of its random numbers, if it draws any
};
/// All of them, the default first.
std::span<const SchedulerKind> scheduler_kinds();
/// Throws std::invalid_argument, which lists the names.
const SchedulerKind& scheduler_kind(std::string_view name);

/// The window allows the packet now.
inline bool is_open(const PathView& path, TimePoint now) { return path.opens_at && *path.opens_at <= now; }

}  // namespace tributary::bonding
