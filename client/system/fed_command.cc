#include "system/fed_command.hh"

#include <array>
#include <cstdio>

namespace tributary {

std::string searched_command(const std::string& command) { return "PATH=$PATH:/usr/sbin:/sbin exec " + command; }

std::string shell_quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string{c};
  return text + "'";
}

bool feed_command(const std::string& command, const std::string& input) {
  std::FILE* pipe = ::popen(searched_command(command).c_str(), "we");
  if (pipe == nullptr) return false;
  const bool written = std::fputs(input.c_str(), pipe) >= 0;
  return ::pclose(pipe) == 0 && written;
}

std::string output_of_command(const std::string& command) {
  std::FILE* pipe = ::popen(searched_command(command).c_str(), "re");
  if (pipe == nullptr) return {};
  std::string text;
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  ::pclose(pipe);
  return text;
}

}  // namespace tributary
