#include "units/text/sentence.hh"

#include <fmt/args.h>

#include <utility>

namespace tributary {

Sentence::Sentence(std::string english_form, std::vector<std::string> its_values)
    : form{std::move(english_form)}, values{std::move(its_values)} {}

std::string Sentence::in(const std::string& translated) const {
  fmt::dynamic_format_arg_store<fmt::format_context> places;
  for (const std::string& value : values) places.push_back(value);
  return fmt::vformat(translated, places);
}

}  // namespace tributary
