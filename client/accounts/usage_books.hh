#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "system/open_file.hh"
#include "units/data_size.hh"

namespace tributary {

/// The bytes that were used of each network since its last reset day, under a lock: FOLDER/link-usage.json, and a copy
/// in link-usage.copy.json. Both files are replaced whole, one after the other, so one of them can always be read. A
/// damaged file is renamed, with a warning. Opening the books first takes back bytes that ended programs took but did
/// not request.
class UsageBooks {
 public:
  struct Usage {
    std::string since;  // the reset day
    std::int64_t bytes = 0;

    void add(DataSize more);  // up to the largest number that the books can hold
  };

  /// Waits for the lock. Throws std::runtime_error or fs::filesystem_error.
  UsageBooks(const std::string& folder, const std::function<void(const std::string&)>& warn);

  /// Neither copy can be read.
  bool lost() const { return lost_; }
  /// The present usage of the network, without bytes from before the reset day `since`.
  Usage& usage_of(const std::string& network, const std::string& since);
  /// Subtracts bytes, unless they were counted before the present reset day.
  void take_back(const std::string& network, const std::string& since, std::int64_t bytes);
  void save();

 private:
  struct Content {
    std::int64_t written = 0;  // number of times: the copy with the larger one is newer
    std::map<std::string, Usage> networks;
  };
  static Content content_from(std::string_view text);
  static std::string text_of(const Content& content);
  static std::optional<Content> read(const std::filesystem::path& path, std::string& damage);
  void settle_leases();

  std::filesystem::path folder_;
  OpenFile lock_;
  Content content_;
  bool lost_ = false;
};

}  // namespace tributary
