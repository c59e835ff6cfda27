#include "download/files/named_file.hh"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>

#include "download/files/destination.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux has it

fs::path directory_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path{"."}; }

std::optional<int> descriptor_of(const fs::path& file) {
  std::error_code error;
  const fs::path directory = fs::canonical(directory_of(file), error);
  if (error || directory != fs::canonical("/proc/self/fd", error)) return std::nullopt;
  const std::string name = file.filename().string();
  int number = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (failure != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

bool may_be_planted(const fs::path& link) {
  struct stat itself {
  }, directory{};
  if (lstat(link.c_str(), &itself) != 0 || stat(directory_of(link).c_str(), &directory) != 0) return true;
  const bool everybodys = (directory.st_mode & S_ISVTX) != 0 && (directory.st_mode & S_IWOTH) != 0;
  return everybodys && itself.st_uid != geteuid() && itself.st_uid != directory.st_uid;
}

}  // namespace

NamedFile follow_links(const std::string& name) {
  fs::path file = name;
  for (int links = 0; links < kMostLinks; ++links) {
    if (const auto descriptor = descriptor_of(file)) return {name, descriptor};
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(file, error))) return {file.string()};
    if (may_be_planted(file))
      throw WriteError{
          fmt::format("{} is a symbolic link of another user: move it away, or say -o FILE", file.string())};
    const fs::path target = fs::read_symlink(file, error);
    if (error) throw WriteError{fmt::format("cannot read {}: {}", file.string(), error.message())};
    file = file.parent_path() / target;
  }
  throw WriteError{fmt::format("cannot write {}: it leads through too many symbolic links", name)};
}

}  // namespace tributary
