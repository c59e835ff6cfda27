#include "units/text_columns.hh"

#include <clocale>
#include <cwchar>

#include "units/utf8.hh"

namespace tributary {
namespace {

/// wcwidth() knows the characters of its thread's locale only, and programs need not set one.
class Utf8Locale {
 public:
  Utf8Locale() : before_{uselocale(of_utf8())} {}
  ~Utf8Locale() { uselocale(before_); }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  static locale_t of_utf8() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;  // null leaves the locale as it is
  }
  locale_t before_;
};

struct Fitting {
  std::size_t bytes = 0, columns = 0;
};

Fitting fit(std::string_view text, std::size_t most) {
  const Utf8Locale locale;
  Fitting fitting;
  while (fitting.bytes < text.size()) {
    const Utf8Character next = first_character(text.substr(fitting.bytes));
    const int width = next.bytes == 0 ? 1 : wcwidth(static_cast<wchar_t>(next.code));
    const std::size_t columns = width < 0 ? 1 : static_cast<std::size_t>(width);
    if (fitting.columns + columns > most) break;
    fitting.columns += columns;
    fitting.bytes += next.bytes == 0 ? 1 : next.bytes;
  }
  return fitting;
}

}  // namespace

std::size_t columns_of(std::string_view text) { return fit(text, text.size() * 2).columns; }

std::string_view first_columns(std::string_view text, std::size_t columns) {
  return text.substr(0, fit(text, columns).bytes);
}

}  // namespace tributary
