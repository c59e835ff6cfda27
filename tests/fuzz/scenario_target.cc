// The language of scenarios. Traces are files: they are not looked for.
#include <stdexcept>

#include "fuzz_target.hh"
#include "simulation/scenario.hh"

using namespace tributary;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text(data, size);
  if (text.find("trace") != std::string_view::npos) return 0;
  try {
    for (const LinkScenario& link : parse_scenario(text)) {
      fuzz::require(!link.name.empty() && link.name.size() <= 15 && !link.changes.empty());
      TimePoint at{};
      for (int i = 0; i < 20; ++i) {
        fuzz::require(link.at(at).rtt >= Duration::zero());
        const auto next = link.next_change(at);
        if (!next) break;
        fuzz::require(*next > at);
        at = *next;
      }
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
