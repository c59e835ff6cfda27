#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fault_plan.hh"
#include "units/split_mix.hh"

namespace tributary::testing {

/// An origin in virtual time, that serves made-up files, and does wrong what the plan says.
class VirtualOrigin {
 public:
  /// `sizes`: of the files, by request target.
  VirtualOrigin(const FaultPlan& plan, std::map<std::string, std::int64_t> sizes);

  struct Reply {
    std::string bytes;
    enum class Then { kKeep, kClose, kReset, kSilence } then = Then::kKeep;
    bool trickles = false;   // 50 bytes every half second
    bool overtakes = false;  // the answer that waits to be sent
    Duration first_byte_after{};
    Duration pause{};  // in the middle
  };
  /// The answer to one request over a link. `pipelined`: an earlier one on the connection is not answered yet.
  Reply answer(std::string_view head, std::uint32_t link, bool pipelined, TimePoint now);

 private:
  ServerFault pick(std::uint32_t link, TimePoint now);

  const FaultPlan& plan_;
  std::map<std::string, std::int64_t> sizes_;
  SplitMix chance_;
};

}  // namespace tributary::testing
