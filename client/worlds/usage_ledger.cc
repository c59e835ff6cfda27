#include "worlds/usage_ledger.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "presentation/json_node.hh"
#include "units/quantity_text.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;
using Day = UsageLedger::Day;

constexpr std::string_view kFormat = "tributary-link-usage";
constexpr int kVersion = 1;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;

/// A file that is open.
class OpenFile {
 public:
  OpenFile(const fs::path& path, int flags) : path_{path}, fd_{open(path.c_str(), flags | O_CLOEXEC, 0600)} {
    if (fd_ < 0) fail("open");
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(fd_); }

  void lock() {
    while (flock(fd_, LOCK_EX) != 0) {
      if (errno != EINTR) fail("lock");
    }
  }
  void write_whole(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = write(fd_, text.data(), text.size());
      if (written < 0 && errno != EINTR) fail("write");
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (fsync(fd_) != 0) fail("write");
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path_.string(), std::strerror(errno)));
  }
  fs::path path_;
  int fd_;
};

struct Usage {
  std::string since;  // the reset day
  std::int64_t bytes = 0;
};

struct Books {
  std::int64_t written = 0;  // how often
  std::map<std::string, Usage> networks;
};

std::string text_of(Day day) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

Books books_from(std::string_view text) {
  const nlohmann::json document = parse_json(text);
  const JsonNode node{document, ""};
  node.expect_format(kFormat, kVersion);
  Books books;
  books.written = node.member("written").integer("a count", 0, kMost);
  const JsonNode networks = node.member("networks");
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const JsonNode network = networks.element(i);
    books.networks[network.member("network").text()] = {network.member("since").text(),
                                                        network.member("bytes").integer("a number of bytes", 0, kMost)};
  }
  return books;
}

std::string text_of(const Books& books) {
  nlohmann::ordered_json out;
  out["format"] = kFormat;
  out["version"] = kVersion;
  out["written"] = books.written;
  out["networks"] = nlohmann::ordered_json::array();
  for (const auto& [name, usage] : books.networks)
    out["networks"].push_back({{"network", name}, {"since", usage.since}, {"bytes", usage.bytes}});
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

void replace(const fs::path& path, const std::string& text) {
  const fs::path unfinished = path.string() + ".new";
  OpenFile{unfinished, O_WRONLY | O_CREAT | O_TRUNC}.write_whole(text);
  fs::rename(unfinished, path);
}

/// Under a name that nothing has yet.
fs::path put_aside(const fs::path& path) {
  for (int i = 1;; ++i) {
    const fs::path aside = fmt::format("{}.damaged-{}", path.string(), i);
    if (fs::exists(aside)) continue;
    fs::rename(path, aside);
    return aside;
  }
}

/// The books while nobody else has them.
class OpenBooks {
 public:
  OpenBooks(const std::string& folder, const std::function<void(const std::string&)>& warn)
      : main_{fs::path{folder} / "link-usage.json"}, copy_{fs::path{folder} / "link-usage.copy.json"}, lock_{lock_in(folder)} {
    lock_.lock();
    std::string damage;
    const auto first = read(main_, damage), second = read(copy_, damage);
    if (!damage.empty()) {
      const bool lost = !first && !second;
      warn(damage + (lost ? "what was used before is not known: nothing of a cap is used until the next reset day, or until that file "
                            "is mended and put back"
                          : "counting goes on from the other copy, and nothing is lost"));
      if (lost) lost_ = true;
    }
    if (first) books = *first;
    if (second && (!first || second->written > first->written)) books = *second;
  }

  bool lost() const { return lost_; }
  void save() {
    ++books.written;
    const std::string text = text_of(books);
    replace(main_, text);
    replace(copy_, text);
  }

  Books books;

 private:
  static OpenFile lock_in(const std::string& folder) {
    fs::create_directories(folder);
    return OpenFile{fs::path{folder} / "link-usage.lock", O_RDWR | O_CREAT};
  }
  static std::optional<Books> read(const fs::path& path, std::string& damage) {
    if (!fs::exists(path)) return std::nullopt;
    std::ifstream in{path, std::ios::binary};
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw std::runtime_error("cannot read " + path.string());
    try {
      return books_from(text.str());
    } catch (const JsonError& error) {
      damage += fmt::format("{} is damaged ({}), and kept as {}; ", path.string(), error.what(), put_aside(path).string());
      return std::nullopt;
    }
  }

  fs::path main_, copy_;
  OpenFile lock_;
  bool lost_ = false;
};

Day reset_in(std::chrono::year_month month, int reset_day) {
  const auto last = (month / std::chrono::last).day();
  return month / std::min(std::chrono::day{static_cast<unsigned>(reset_day)}, last);
}

/// What counts for the network now: nothing of what was used before the reset day.
Usage& usage_of(Books& books, const std::string& network, const std::string& since) {
  Usage& usage = books.networks[network];
  if (usage.since < since) usage = {since, 0};
  return usage;
}

}  // namespace

Day last_reset(Day today, int reset_day) {
  const std::chrono::year_month month{today.year(), today.month()};
  const Day reset = reset_in(month, reset_day);
  return reset <= today ? reset : reset_in(month - std::chrono::months{1}, reset_day);
}

Day next_reset(Day today, int reset_day) {
  const std::chrono::year_month month{today.year(), today.month()};
  const Day reset = reset_in(month, reset_day);
  return reset > today ? reset : reset_in(month + std::chrono::months{1}, reset_day);
}

Grant UsageLedger::take(const std::string& link, const LinkTerms& terms, DataSize wanted) {
  try {
    OpenBooks open{folder_, around_.warn};
    const std::string since = text_of(last_reset(around_.today(), terms.reset_day));
    const std::string network = around_.network_of(link);
    if (open.lost() && terms.cap) usage_of(open.books, network, since).bytes = terms.cap->bytes();
    Usage& usage = usage_of(open.books, network, since);
    const DataSize left = terms.cap ? std::max(*terms.cap - DataSize{usage.bytes}, DataSize{}) : wanted;
    const DataSize taken = std::min(wanted, left);
    usage.bytes += taken.bytes();
    if (taken > DataSize{} || open.lost()) open.save();
    if (taken == wanted) return {taken};
    const std::string anew = text_of(next_reset(around_.today(), terms.reset_day));
    if (open.lost()) return {taken, "what was used of it before is not known; counting begins anew on " + anew};
    return {taken, fmt::format("{} of its cap of {} are used since {}, by all programs together; it begins anew on {}",
                               format_size(DataSize{usage.bytes}), format_size(*terms.cap), since, anew)};
  } catch (const std::exception& error) {  // fs::filesystem_error, too
    if (!warned_) around_.warn(fmt::format("the bytes used of {} cannot be counted: {}{}", link, error.what(),
                                           terms.cap ? "; it has a cap, so it is not used" : ""));
    warned_ = true;
    if (terms.cap) return {{}, std::string{"the bytes used of it cannot be counted: "} + error.what()};
    return {wanted};
  }
}

void UsageLedger::give_back(const std::string& link, const LinkTerms& terms, DataSize unused) {
  if (unused <= DataSize{}) return;
  try {
    OpenBooks open{folder_, around_.warn};
    Usage& usage = usage_of(open.books, around_.network_of(link), text_of(last_reset(around_.today(), terms.reset_day)));
    usage.bytes = std::max(usage.bytes - unused.bytes(), std::int64_t{0});
    open.save();
  } catch (const std::exception& error) {
    around_.warn(fmt::format("{} that were not used of {} stay counted: {}", unused.bytes(), link, error.what()));
  }
}

DataSize UsageLedger::used(const std::string& link, const LinkTerms& terms) const {
  OpenBooks open{folder_, around_.warn};
  return DataSize{usage_of(open.books, around_.network_of(link), text_of(last_reset(around_.today(), terms.reset_day))).bytes};
}

std::string UsageLedger::usual_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return std::string{state} + "/tributary";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] == '\0')
    throw std::runtime_error("neither XDG_STATE_HOME nor HOME is set: nowhere to count the bytes of metered links");
  return std::string{home} + "/.local/state/tributary";
}

}  // namespace tributary
