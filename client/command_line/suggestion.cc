#include "command_line/suggestion.hh"

#include <algorithm>
#include <vector>

namespace tributary {
namespace {

/// Optimal string alignment: letters that are changed, missing, added, or swapped with the next one.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> changes(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& least = changes[i][j];
      if (i == 0 || j == 0) {
        least = i + j;
        continue;
      }
      least = std::min({changes[i - 1][j] + 1, changes[i][j - 1] + 1, changes[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        least = std::min(least, changes[i - 2][j - 2] + 1);
    }
  }
  return changes[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> meant_by(std::string_view word, std::span<const std::string> known) {
  std::optional<std::string> meant;
  std::size_t least = word.size() / 3 + 1;
  for (const std::string& candidate : known) {
    const std::size_t changes = distance(word, candidate);
    if (changes >= least) continue;
    least = changes;
    meant = candidate;
  }
  return meant;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  const auto meant = meant_by(word, known);
  return meant ? "; did you mean " + *meant + "?" : "";
}

}  // namespace tributary
