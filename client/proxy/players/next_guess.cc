#include "proxy/players/next_guess.hh"

#include <utility>

namespace tributary::proxy {

NextGuess::Guess NextGuess::asked(const std::string& ladder, const MediaFile& file,
                                  const std::optional<MediaFile>& next) {
  const std::optional<MediaFile> expected = std::exchange(next_[ladder], next);
  in_order_ = expected && expected->grid.number == file.grid.number ? in_order_ + 1 : 0;
  Guess guess{.fetch_ahead = in_order_ >= kInOrder};
  if (expected && (expected->url != file.url || expected->range != file.range)) guess.not_wanted = expected;
  return guess;
}

}  // namespace tributary::proxy
