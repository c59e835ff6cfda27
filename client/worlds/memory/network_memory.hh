#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/utc_time.hh"
#include "worlds/memory/link_memory.hh"

namespace tributary {

/// What was measured last of each network, in FOLDER/link-memory.json, which several programs share. What is older than 30 days is
/// forgotten, and of more than 100 networks those that were measured longest ago. A file that is damaged is said, put aside by who
/// writes next, and begun afresh; one that cannot be read or written is said once, and counts as empty.
class NetworkMemory : public LinkMemory {
 public:
  struct Surroundings {
    std::function<std::string(const std::string& link)> network_of;  // which network a link leads to now
    std::function<UtcTime()> now;
    std::function<void(const std::string& text)> warn;
  };
  struct Entry {
    RememberedLink link;
    UtcTime measured_at;
  };
  using Entries = std::map<std::string, Entry>;  // by network

  NetworkMemory(std::string folder, Surroundings around) : folder_{std::move(folder)}, around_{std::move(around)} {}

  std::string network_of(const std::string& link) override;
  std::optional<RememberedLink> recall(const std::string& network) override;
  void remember(const std::map<std::string, RememberedLink>& networks) override;

  /// Of how many networks something was remembered. Throws std::runtime_error or fs::filesystem_error.
  std::size_t forget();

 private:
  std::filesystem::path path() const { return std::filesystem::path{folder_} / "link-memory.json"; }
  /// Those that are not too old. Nothing: the file is damaged, which is said.
  std::optional<Entries> read();
  /// Throws JsonError that names the place.
  Entries entries_from(std::string_view text) const;
  void warn_once(const std::string& text);

  std::string folder_;
  Surroundings around_;
  std::string warned_;
};

/// Of this machine: the networks on the way to these addresses, and its clock.
NetworkMemory::Surroundings surroundings_here(std::vector<std::string> origin_addresses,
                                              std::function<void(const std::string& text)> warn);

/// What this user's programs measured of these networks. Null where there is no home to keep it in, of which it warns.
std::shared_ptr<NetworkMemory> link_memory(std::vector<std::string> origin_addresses,
                                           std::function<void(const std::string& text)> warn);

}  // namespace tributary
