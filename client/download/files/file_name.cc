#include "download/files/file_name.hh"

#include <fmt/format.h>

#include <filesystem>

#include "download/files/destination.hh"
#include "download/files/named_file.hh"
#include "units/text/printed_text.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& name) {
  const NamedFile file = follow_links(name);
  std::error_code unreadable;
  return !file.descriptor && fs::is_regular_file(file.path, unreadable);
}

/// "film.2.iso" for 2.
std::string numbered(const fs::path& name, int number) {
  return (name.parent_path() / fmt::format("{}.{}{}", name.stem().string(), number, name.extension().string()))
      .string();
}

}  // namespace

std::optional<std::string> safe_file_name(const std::string& given) {
  std::string name = given.substr(given.find_last_of("/\\") + 1);  // npos + 1 is 0
  name.erase(name.find_last_not_of(' ') + 1);
  const bool safe = !name.empty() && !name.starts_with('.') && printable_line(name) == name;
  return safe ? std::optional{name} : std::nullopt;
}

bool is_folder(const std::string& path) {
  std::error_code unreadable;
  return path.ends_with('/') || fs::is_directory(path, unreadable);
}

std::string name_for(const WantedName& wanted) {
  const bool in_folder = is_folder(wanted.output);
  if (!wanted.output.empty() && !in_folder) {
    if (!wanted.replaces && !wanted.continues && is_there(wanted.output))
      throw WriteError{fmt::format("{} is there already: --overwrite replaces it", wanted.output)};
    return wanted.output;
  }
  std::string name = in_folder ? (fs::path{wanted.output} / wanted.usual).string() : wanted.usual;
  if (wanted.replaces || wanted.continues || !is_there(name)) return name;
  for (int number = 1;; ++number) {
    std::string other = numbered(name, number);
    if (!is_there(other)) return other;
  }
}

}  // namespace tributary
