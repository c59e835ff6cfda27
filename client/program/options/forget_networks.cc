#include "program/options/forget_networks.hh"

#include <fmt/format.h>

#include "links/interfaces/network_name.hh"
#include "memory/network_memory.hh"
#include "program/options/command_line.hh"
#include "system/state_files.hh"
#include "units/text/printed_text.hh"

namespace tributary {

void forget_networks(std::FILE* say_to) {
  const auto nothing = [](const std::string& /*text*/) {};
  const std::size_t count = NetworkMemory{state_folder(), surroundings_here(kAnywhere, nothing)}.forget();
  print_text(say_to, "what links of {} network{} could do is forgotten\n", count, count == 1 ? "" : "s");
}

}  // namespace tributary
