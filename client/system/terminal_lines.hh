#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tributary {

/// Lines at the end of a terminal that are redrawn in their place. Lines that are wider than the terminal are cut. When it
/// has become narrower, its rows for the lines before are counted as terminals wrap them.
/// If the output is no terminal, nothing is drawn. Control characters in the text are made harmless
/// (units/text/printed_text.hh).
class TerminalLines {
 public:
  /// The file must outlive the object.
  explicit TerminalLines(std::FILE* out);

  bool is_terminal() const { return is_terminal_; }
  /// The width of the terminal now; nothing if it is not known.
  std::optional<std::size_t> columns() const;
  /// Replaces the lines drawn before.
  void draw(std::span<const std::string> lines);
  void draw(const std::string& line) { draw(std::span{&line, 1}); }
  /// Prints a line that stays, where the drawn lines stood; with or without a terminal.
  void say(const std::string& line);
  /// Leaves the drawn lines as they are; later output stands below them.
  void leave() { drawn_.clear(); }

 private:
  std::string to_their_place() const;

  std::FILE* out_;
  bool is_terminal_;
  std::vector<std::size_t> drawn_;  // the columns of each line
};

}  // namespace tributary
