#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>

namespace tributary {

/// Lines at the end of a terminal that are drawn again in their place. The terminal cuts what is wider than itself.
/// Where the output is no terminal, nothing is drawn. No text commands the terminal (units/printed_text.hh).
class TerminalLines {
 public:
  /// The file must outlive it.
  explicit TerminalLines(std::FILE* out);

  bool is_terminal() const { return is_terminal_; }
  /// In place of the lines drawn before.
  void draw(std::span<const std::string> lines);
  void draw(const std::string& line) { draw(std::span{&line, 1}); }
  /// Prints a line that stays, where the drawn lines stood; with or without a terminal.
  void say(const std::string& line);
  /// The drawn lines stay as they are; what follows stands below.
  void leave() { shown_ = 0; }

 private:
  std::string to_their_place() const;

  std::FILE* out_;
  bool is_terminal_;
  std::size_t shown_ = 0;
};

}  // namespace tributary
