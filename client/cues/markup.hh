#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tributary {

/// The text as markup of Pango shows it: "&" becomes "&amp;". Bytes that are not UTF-8
/// become U+FFFD. Control characters other than line feeds are left out.
std::string escaped(std::string_view text);

/// "<b>" and its like around a text, always closed in the order in which they were opened.
class Markup {
 public:
  void add(std::string_view text) { markup_ += escaped(text); }
  /// `name`: by which it is closed. `element`: "i", or "span foreground=\"red\""; empty: it shows nothing.
  void open(std::string_view name, std::string_view element);
  /// Closes the innermost of that name, and all within it; nothing if none is open.
  void close(std::string_view name);
  /// Closes all, and gives the markup without blanks around it.
  std::string take();

 private:
  struct Open {
    std::string name, end;
  };
  void close_last();

  std::string markup_;
  std::vector<Open> open_;
};

}  // namespace tributary
