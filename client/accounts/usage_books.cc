#include "accounts/usage_books.hh"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "accounts/usage_lease.hh"
#include "presentation/json/json_node.hh"
#include "system/state_files.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "tributary-link-usage";
constexpr int kVersion = 1;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;

fs::path main_copy(const fs::path& folder) { return folder / "link-usage.json"; }
fs::path other_copy(const fs::path& folder) { return folder / "link-usage.copy.json"; }

}  // namespace

void UsageBooks::Usage::add(DataSize more) { bytes = more.bytes() < kMost - bytes ? bytes + more.bytes() : kMost; }

UsageBooks::UsageBooks(const std::string& folder, const std::function<void(const std::string&)>& warn)
    : folder_{folder}, lock_{lock_path(folder_, "link-usage"), O_RDWR | O_CREAT} {
  lock_.lock();
  std::string damage;
  const auto first = read(main_copy(folder_), damage), second = read(other_copy(folder_), damage);
  lost_ = !damage.empty() && !first && !second;
  if (!damage.empty()) {
    warn(
        damage +
        (lost_
             ? "what was used before is not known: nothing of a cap is used until the next reset day, or until that file "
               "is mended and put back"
             : "counting goes on from the other copy, and nothing is lost"));
  }
  if (first) content_ = *first;
  if (second && (!first || second->written > first->written)) content_ = *second;
  settle_leases();
}

UsageBooks::Usage& UsageBooks::usage_of(const std::string& network, const std::string& since) {
  Usage& usage = content_.networks[network];
  if (usage.since < since) usage = {since, 0};
  return usage;
}

void UsageBooks::take_back(const std::string& network, const std::string& since, std::int64_t bytes) {
  const auto found = content_.networks.find(network);
  if (found == content_.networks.end() || found->second.since != since) return;
  found->second.bytes = std::max(found->second.bytes - bytes, std::int64_t{0});
}

void UsageBooks::save() {
  ++content_.written;
  const std::string text = text_of(content_);
  static_cast<void>(content_from(text));  // throws rather than write books that cannot be read again
  replace_file(main_copy(folder_), text);
  replace_file(other_copy(folder_), text);
}

/// Removes each lease before taking back its bytes: if this program is killed in between, the bytes stay counted.
void UsageBooks::settle_leases() {
  bool any = false;
  for (const UsageLease::Record& lease : UsageLease::end_abandoned(folder_)) {
    take_back(lease.network, lease.since, lease.unused.bytes());
    any = true;
  }
  if (any) save();
}

UsageBooks::Content UsageBooks::content_from(std::string_view text) {
  const nlohmann::json document = parse_json(text);
  const JsonNode node{document, ""};
  node.expect_format(kFormat, kVersion);
  Content content;
  content.written = node.member("written").integer("a count", 0, kMost);
  const JsonNode networks = node.member("networks");
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const JsonNode network = networks.element(i);
    content.networks[network.member("network").text()] = {
        network.member("since").text(), network.member("bytes").integer("a number of bytes", 0, kMost)};
  }
  return content;
}

std::string UsageBooks::text_of(const Content& content) {
  nlohmann::ordered_json out;
  out["format"] = kFormat;
  out["version"] = kVersion;
  out["written"] = content.written;
  out["networks"] = nlohmann::ordered_json::array();
  for (const auto& [name, usage] : content.networks)
    out["networks"].push_back({{"network", name}, {"since", usage.since}, {"bytes", usage.bytes}});
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::optional<UsageBooks::Content> UsageBooks::read(const fs::path& path, std::string& damage) {
  const auto text = text_of_file(path);
  if (!text) return std::nullopt;
  try {
    return content_from(*text);
  } catch (const JsonError& error) {
    damage +=
        fmt::format("{} is damaged ({}), and kept as {}; ", path.string(), error.what(), put_aside(path).string());
    return std::nullopt;
  }
}

}  // namespace tributary
