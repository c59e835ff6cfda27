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

#include "memory/link_memory.hh"
#include "units/utc_time.hh"

namespace tributary {

/// The last measurements of each network, in FOLDER/link-memory.json, which several programs share. Measurements older
/// than 30 days are forgotten, and so are the oldest of more than 100 networks.
///
/// Warns of a damaged file; the next writer renames it and begins a new one. A file that cannot be read or written
/// causes one warning, and counts as empty.
class NetworkMemory : public LinkMemory {
 public:
  struct Surroundings {
    std::function<std::string(const std::string& link)> network_of;  // the network that a link leads to now
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

  /// Forgets all networks, and returns their number. Throws std::runtime_error or fs::filesystem_error.
  std::size_t forget();

 private:
  std::filesystem::path path() const { return std::filesystem::path{folder_} / "link-memory.json"; }
  /// The entries that are not too old. Nothing, with a warning, if the file is damaged.
  std::optional<Entries> read();
  /// Throws JsonError that names the place.
  Entries entries_from(std::string_view text) const;
  void warn_once(const std::string& text);

  std::string folder_;
  Surroundings around_;
  std::string warned_;
};

/// The surroundings of this machine: the networks on the way to these addresses, and the clock.
NetworkMemory::Surroundings surroundings_here(std::vector<std::string> origin_addresses,
                                              std::function<void(const std::string& text)> warn);

/// The measurements of this user's programs. Null, with a warning, if there is no home directory for the file.
std::shared_ptr<NetworkMemory> link_memory(std::vector<std::string> origin_addresses,
                                           std::function<void(const std::string& text)> warn);

}  // namespace tributary
