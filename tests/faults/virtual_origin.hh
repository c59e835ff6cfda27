#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fault_plan.hh"
#include "simulation/split_mix.hh"

namespace tributary::testing {

/// An origin in virtual time, that serves made-up files, and does wrong what the plan says.
class VirtualOrigin {
 public:
  /// `sizes`: of the files, by request target.
  VirtualOrigin(const FaultPlan& plan, std::map<std::string, std::int64_t> sizes);

  struct Reply {
    std::string bytes;
    enum class Then { kKeep, kClose, kReset, kSilence } then = Then::kKeep;
    bool trickles = false;  // 50 bytes every half second
  };
  /// The answer to one request over a link.
  Reply answer(std::string_view head, std::uint32_t link, TimePoint now);

 private:
  ServerFault pick(std::uint32_t link, TimePoint now);

  const FaultPlan& plan_;
  std::map<std::string, std::int64_t> sizes_;
  SplitMix chance_;
};

}  // namespace tributary::testing
