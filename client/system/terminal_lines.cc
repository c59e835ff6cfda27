#include "system/terminal_lines.hh"

#include <fmt/format.h>
#include <unistd.h>

#include "units/printed_text.hh"

namespace tributary {

TerminalLines::TerminalLines(std::FILE* out) : out_{out}, is_terminal_{isatty(fileno(out)) == 1} {}

/// Control sequences of ECMA-48: CPL moves up, and ED clears to the end of the screen.
std::string TerminalLines::to_their_place() const {
  return shown_ > 0 ? fmt::format("\x1b[{}F\x1b[J", shown_) : std::string{};
}

void TerminalLines::draw(std::span<const std::string> lines) {
  if (!is_terminal_) return;
  std::string text = to_their_place() + "\x1b[?7l";  // without wrapping (DECAWM)
  for (const std::string& line : lines) text += printable_line(line) + "\n";
  text += "\x1b[?7h";
  shown_ = lines.size();
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

void TerminalLines::say(const std::string& line) {
  std::fputs((to_their_place() + printable(line) + "\n").c_str(), out_);
  shown_ = 0;
  std::fflush(out_);
}

}  // namespace tributary
