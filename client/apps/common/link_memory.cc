#include "apps/common/link_memory.hh"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "apps/common/link_costs.hh"
#include "worlds/state_files.hh"

namespace tributary {
namespace {

UtcTime now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

}  // namespace

std::shared_ptr<NetworkMemory> link_memory(std::vector<std::string> origin_addresses,
                                           std::function<void(const std::string& text)> say) {
  try {
    return std::make_shared<NetworkMemory>(
        state_folder(), NetworkMemory::Surroundings{[addresses = std::move(origin_addresses)](const std::string& link) {
                                                      return network_of(link, addresses);
                                                    },
                                                    now, say});
  } catch (const std::exception& error) {
    say(error.what());
    return nullptr;
  }
}

void add_forget(CLI::App& app, bool& forget) {
  app.add_flag(
      "--forget", forget,
      "Forget what links could do, as it was measured in earlier sessions and is remembered for each network, and begin without; "
      "by itself: forget it, and say of how many networks");
}

void forget_networks(std::FILE* say_to) {
  const auto nothing = [](const std::string& /*text*/) {};
  const std::size_t count = NetworkMemory{state_folder(), {{}, now, nothing}}.forget();
  fmt::print(say_to, "what links of {} network{} could do is forgotten\n", count, count == 1 ? "" : "s");
}

}  // namespace tributary
