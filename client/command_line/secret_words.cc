#include "command_line/secret_words.hh"

#include <algorithm>
#include <cstring>
#include <string>

#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

/// A word keeps its length: the system knows where it ends.
void overwrite(char* word, std::string_view shown) {
  const std::size_t size = std::strlen(word), kept = std::min(size, shown.size());
  std::copy_n(shown.begin(), kept, word);
  std::fill(word + kept, word + size, ' ');
}

void hide(char* value) { std::fill(value, value + std::strlen(value), '*'); }

/// URL, or --option=URL.
void hide_in_address(char* word) {
  char* const scheme = std::strstr(word, "://");
  if (scheme == nullptr) return;
  const bool is_option = word[0] == '-';
  char* const equals = is_option ? std::strchr(word, '=') : nullptr;
  char* const url = equals != nullptr && equals < scheme ? equals + 1 : word;
  overwrite(url, redacted(url));
}

}  // namespace

void hide_secrets(std::span<char* const> words, std::span<const std::string_view> secret_options) {
  bool is_value = false;  // of the secret option before
  for (char* const word : words) {
    if (is_value) {
      hide(word);
      is_value = false;
      continue;
    }
    for (const std::string_view option : secret_options) {
      const std::string_view text{word};
      const bool is_long = option.starts_with("--");
      if (text == option) {
        is_value = true;
      } else if (text.starts_with(option) && (!is_long || text[option.size()] == '=')) {
        hide(word + option.size() + (is_long ? 1 : 0));
      }
    }
    if (!is_value) hide_in_address(word);
  }
}

}  // namespace tributary
