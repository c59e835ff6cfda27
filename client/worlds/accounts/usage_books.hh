#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "units/data_size.hh"
#include "worlds/memory/open_file.hh"

namespace tributary {

/// The bytes that were used of each network since its last reset day, while nobody else has them: FOLDER/link-usage.json, and the
/// same once more in link-usage.copy.json. Both are replaced whole, one after the other, so one of them can always be read; a
/// damaged one is kept under another name, and said. What programs took that are gone, and did not request, is taken back first.
class UsageBooks {
 public:
  struct Usage {
    std::string since;  // the reset day
    std::int64_t bytes = 0;

    void add(DataSize more);  // up to the most that the books can hold
  };

  /// Waits until the others are done. Throws std::runtime_error or fs::filesystem_error.
  UsageBooks(const std::string& folder, const std::function<void(const std::string&)>& warn);

  /// Neither copy can be read.
  bool lost() const { return lost_; }
  /// What counts for the network now: nothing of what was used before the reset day.
  Usage& usage_of(const std::string& network, const std::string& since);
  /// It stays counted if that was before the reset day that counts now.
  void take_back(const std::string& network, const std::string& since, std::int64_t bytes);
  void save();

 private:
  struct Content {
    std::int64_t written = 0;  // how often
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
