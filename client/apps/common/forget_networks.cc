#include "apps/common/forget_networks.hh"

#include <fmt/format.h>

#include "apps/common/command_line.hh"
#include "links/network_name.hh"
#include "units/printed_text.hh"
#include "worlds/memory/network_memory.hh"
#include "worlds/memory/state_files.hh"

namespace tributary {

void forget_networks(std::FILE* say_to) {
  const auto nothing = [](const std::string& /*text*/) {};
  const std::size_t count = NetworkMemory{state_folder(), surroundings_here(kAnywhere, nothing)}.forget();
  print_text(say_to, "what links of {} network{} could do is forgotten\n", count, count == 1 ? "" : "s");
}

}  // namespace tributary
