// Texts of titles, in all their forms: what is read has times that ascend, and markup whose elements are whole.
#include <vector>

#include "cues/text_file.hh"
#include "fuzz_target.hh"

using namespace tributary;

namespace {

bool is_whole(const std::string& markup) {
  std::vector<std::string> open;
  for (std::size_t at = markup.find('<'); at != std::string::npos; at = markup.find('<', at + 1)) {
    const std::size_t end = markup.find('>', at);
    if (end == std::string::npos) return false;
    const std::string element = markup.substr(at + 1, end - at - 1), name = element.substr(0, element.find(' '));
    if (!name.starts_with('/')) {
      open.push_back(name);
    } else {
      if (open.empty() || "/" + open.back() != name) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

template <typename Read>
void examine(Read read) {
  try {
    const TextFile file = read();
    fuzz::require(file.cues.size() <= kMostCues && file.zero < kTransportWrap);
    for (const Cue& cue : file.cues) {
      // A sample may last no time.
      fuzz::require(cue.begin <= cue.end && !cue.markup.empty() && is_whole(cue.markup));
    }
  } catch (const TextError&) {
  }
}

}  // namespace

/// The first two bytes say how many of the next ones are an init segment. Without one, it may be a file of a user, too.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::span all{reinterpret_cast<const std::byte*>(data) + 2, size - 2};
  const std::size_t init = std::min<std::size_t>(data[0] * 256u + data[1], all.size());
  examine([&] { return read_text_file(all.subspan(init), all.first(init)); });
  if (init == 0) examine([&] { return read_users_text_file(all); });
  return 0;
}
