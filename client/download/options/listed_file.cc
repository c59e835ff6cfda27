#include "download/options/listed_file.hh"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

namespace tributary {
namespace {

constexpr const char* kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// An address may be indented, too.
bool is_option(std::string_view line, std::string_view text) {
  const std::string_view name = text.substr(0, text.find('='));
  return line.find_first_of(kBlanks) == 0 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

void read_option(std::string_view text, ListedFile& file) {
  const auto sign = text.find('=');
  const std::string_view option = text.substr(0, sign);
  const std::string value{sign == std::string_view::npos ? "" : trimmed(text.substr(sign + 1))};
  if (value.empty()) throw std::invalid_argument{"a line that begins with a blank has an option, as out=NAME"};
  if (option == "out") {
    file.name = value;
  } else if (option == "dir") {
    file.folder = value;
  } else if (option == "checksum") {
    file.checksum = read_checksum(value);
  } else {
    throw std::invalid_argument{fmt::format("\"{}\" is not known for one file: out, dir and checksum are", option)};
  }
}

}  // namespace

std::vector<ListedFile> read_list(std::istream& lines, const std::string& name) {
  std::vector<ListedFile> files;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    try {
      if (!is_option(line, text)) {
        if (text.find('\t') != std::string_view::npos)
          throw std::invalid_argument{"several addresses; one is expected"};
        files.push_back({.url = std::string{text}, .folder = "", .name = ""});
      } else if (files.empty()) {
        throw std::invalid_argument{"an option stands before the first address"};
      } else {
        read_option(text, files.back());
      }
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument{fmt::format("{}, line {}: {}", name, number, error.what())};
    }
  }
  return files;
}

}  // namespace tributary
