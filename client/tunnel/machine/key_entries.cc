#include "tunnel/machine/key_entries.hh"

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "bonding/handshake/key_text.hh"

namespace tributary {
namespace {

struct Kind {
  std::string_view begin, name, instead;
};
constexpr std::string_view kVersion = "1";
constexpr std::array<Kind, 3> kKinds{
    {{"tributary-relay-key", "the key of a relay", "tributary-relay --new-key FILE makes one"},
     {"tributary-client-key", "the key of a client",
      "tributary-relay --key-file RELAY_KEY --add-client NAME makes one"},
     {"tributary-clients", "the list of a relay's clients",
      "tributary-relay --key-file RELAY_KEY --add-client NAME makes one"}}};

const Kind& about(KeyFileKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in{line};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

void expect_begin(const std::string& path, int line, const std::vector<std::string>& words, KeyFileKind kind) {
  const Kind& wanted = about(kind);
  if (words.size() == 2 && words[0] == wanted.begin) {
    if (words[1] != kVersion)
      refuse_key_line(path, line, "this version of the file is not known: is the program too old?");
    return;
  }
  for (const Kind& other : kKinds) {
    if (words[0] == other.begin)
      refuse_key_line(path, line, fmt::format("this is {}, not {} ({})", other.name, wanted.name, wanted.instead));
  }
  if (words.size() == 1 && bonding::key_from_text(words[0]))
    refuse_key_line(
        path, line,
        "this key is of the kind that all clients of a relay shared. Now each has its own: make a new key of the "
        "relay (tributary-relay --new-key FILE), and one for each client (tributary-relay --key-file FILE "
        "--add-client NAME)");
  refuse_key_line(path, line,
                  fmt::format("this is no key: expected \"{} {}\" ({})", wanted.begin, kVersion, wanted.instead));
}

}  // namespace

void refuse_key_line(const std::string& path, int line, const std::string& problem) {
  throw std::runtime_error{fmt::format("{}:{}: {}", path, line, problem)};
}

std::vector<KeyEntry> read_key_entries(const std::string& path, std::string_view text, KeyFileKind kind) {
  std::vector<KeyEntry> entries;
  std::istringstream lines{std::string{text}};
  int number = 0;
  bool begun = false;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    if (!std::exchange(begun, true)) {
      expect_begin(path, number, words, kind);
    } else if (words.size() != 2) {
      refuse_key_line(path, number, "expected two words");
    } else {
      entries.push_back({number, words[0], words[1]});
    }
  }
  if (!begun) throw std::runtime_error{fmt::format("{}: this is no key: it is empty ({})", path, about(kind).instead)};
  return entries;
}

std::string key_file_begin(KeyFileKind kind, std::string_view comment) {
  return fmt::format("# {}\n{} {}\n", comment, about(kind).begin, kVersion);
}

}  // namespace tributary
