#include "system/terminal_lines.hh"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "units/text/printed_text.hh"
#include "units/text_columns.hh"

namespace tributary {

TerminalLines::TerminalLines(std::FILE* out) : out_{out}, is_terminal_{isatty(fileno(out)) == 1} {}

std::optional<std::size_t> TerminalLines::columns() const {
  winsize size{};
  if (ioctl(fileno(out_), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

/// Control sequences of ECMA-48: CPL moves up, and ED clears to the end of the screen.
std::string TerminalLines::to_their_place() const {
  if (drawn_.empty()) return {};
  const auto width = columns();
  std::size_t rows = 0;
  for (const std::size_t line : drawn_) rows += width ? std::max<std::size_t>((line + *width - 1) / *width, 1) : 1;
  return fmt::format("\x1b[{}F\x1b[J", rows);
}

void TerminalLines::draw(std::span<const std::string> lines) {
  if (!is_terminal_) return;
  std::string text = to_their_place() + "\x1b[?7l";  // without wrapping (DECAWM)
  const auto width = columns();
  drawn_.clear();
  for (const std::string& line : lines) {
    const std::string printed = printable_line(line);
    const std::string_view fits = width ? first_columns(printed, *width) : std::string_view{printed};
    drawn_.push_back(columns_of(fits));
    text.append(fits) += "\n";
  }
  text += "\x1b[?7h";
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

void TerminalLines::say(const std::string& line) {
  std::fputs((to_their_place() + printable(line) + "\n").c_str(), out_);
  drawn_.clear();
  std::fflush(out_);
}

}  // namespace tributary
