#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tributary {

/// What a user is told: an English form, and the values that stand in its places ("{}"). Who speaks another language
/// translates the form. Empty: nothing is told.
struct Sentence {
  Sentence() = default;
  Sentence(std::string english_form, std::vector<std::string> its_values = {});
  Sentence(const char* english_form) : Sentence{std::string{english_form}} {}

  std::string form;
  std::vector<std::string> values;

  bool empty() const { return form.empty(); }
  std::string english() const { return in(form); }
  /// `translated`: the form in another language.
  std::string in(const std::string& translated) const;

  bool operator==(const Sentence&) const = default;
};

/// For forms that are translated: xgettext looks for this name.
template <typename... Values>
Sentence sentence(const char* form, const Values&... values) {
  return Sentence{form, {std::string{values}...}};
}

/// What somebody else says, in whatever language.
inline Sentence verbatim(std::string text) { return Sentence{"{}", {std::move(text)}}; }

}  // namespace tributary
