#include "accounts/usage_lease.hh"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "presentation/json/json_node.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "link-usage.lease-";
constexpr std::size_t kSize = 1024;  // of each record: one write covers the record before

std::string text_in(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// An id that changes with every start of the system.
std::string boot_id() {
  static const std::string id = text_in("/proc/sys/kernel/random/boot_id");
  return id;
}

fs::path new_path(const fs::path& folder) {
  for (int i = 1;; ++i) {
    fs::path path = folder / fmt::format("{}{}-{}", kName, getpid(), i);
    if (!fs::exists(path)) return path;
  }
}

/// Nothing if the file has no record, or one from before the last start of the system.
std::optional<UsageLease::Record> record_in(const fs::path& path) {
  try {
    const std::string text = text_in(path);
    const nlohmann::json document = parse_json(text);
    const JsonNode node{document, ""};
    if (boot_id().empty() || node.member("boot").text() != boot_id()) return std::nullopt;
    return UsageLease::Record{
        node.member("network").text(), node.member("since").text(),
        DataSize{node.member("unused").integer("a number of bytes", 0, std::numeric_limits<std::int64_t>::max())}};
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

}  // namespace

UsageLease::UsageLease(const fs::path& folder) : file_{new_path(folder), O_RDWR | O_CREAT | O_EXCL} { file_.lock(); }

void UsageLease::write(const Record& record) {
  if (ended_) return;
  const nlohmann::ordered_json out{
      {"boot", boot_id()}, {"network", record.network}, {"since", record.since}, {"unused", record.unused.bytes()}};
  std::string text = out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.resize(std::max(text.size() + 1, kSize), ' ');
  text.back() = '\n';
  try {
    file_.write_at_begin(text);
  } catch (const std::runtime_error&) {
    end();
  }
}

void UsageLease::end() {
  std::error_code ignored;
  if (!ended_) fs::remove(file_.path(), ignored);
  ended_ = true;
}

std::vector<UsageLease::Record> UsageLease::end_abandoned(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator{folder}) {
    if (entry.path().filename().string().starts_with(kName)) found.push_back(entry.path());
  }
  std::vector<Record> records;
  for (const fs::path& path : found) {
    try {
      OpenFile file{path, O_RDWR};
      if (!file.try_lock()) continue;  // the program lives
      const auto record = record_in(path);
      fs::remove(path);
      if (record) records.push_back(*record);
    } catch (
        const std::runtime_error&) {  // it has ended in this moment, or belongs to another user: nothing is given back
    }
  }
  return records;
}

}  // namespace tributary
