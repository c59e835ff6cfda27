#include "apps/common/link_memory.hh"

#include <fmt/format.h>

#include "links/network_name.hh"
#include "units/printed_text.hh"
#include "worlds/network_memory.hh"
#include "worlds/state_files.hh"

namespace tributary {

void add_forget(CLI::App& app, bool& forget) {
  app.add_flag(
      "--forget", forget,
      "Forget what links could do, as it was measured in earlier sessions and is remembered for each network, and begin without; "
      "by itself: forget it, and say of how many networks");
}

void forget_networks(std::FILE* say_to) {
  const auto nothing = [](const std::string& /*text*/) {};
  const std::size_t count = NetworkMemory{state_folder(), surroundings_here(kAnywhere, nothing)}.forget();
  print_text(say_to, "what links of {} network{} could do is forgotten\n", count, count == 1 ? "" : "s");
}

}  // namespace tributary
