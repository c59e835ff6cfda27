#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>

namespace tributary {

/// Lines at the end of a terminal that are redrawn in their place. The terminal cuts lines that are wider than it is.
/// If the output is no terminal, nothing is drawn. Control characters in the text are made harmless
/// (units/printed_text.hh).
class TerminalLines {
 public:
  /// The file must outlive the object.
  explicit TerminalLines(std::FILE* out);

  bool is_terminal() const { return is_terminal_; }
  /// Replaces the lines drawn before.
  void draw(std::span<const std::string> lines);
  void draw(const std::string& line) { draw(std::span{&line, 1}); }
  /// Prints a line that stays, where the drawn lines stood; with or without a terminal.
  void say(const std::string& line);
  /// Leaves the drawn lines as they are; later output stands below them.
  void leave() { shown_ = 0; }

 private:
  std::string to_their_place() const;

  std::FILE* out_;
  bool is_terminal_;
  std::size_t shown_ = 0;
};

}  // namespace tributary
