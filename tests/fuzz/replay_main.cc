// Where there is no libFuzzer: gives a target the inputs that are kept, and some thousand made from them.
//   fuzz_NAME CORPUS_FOLDER [RUNS [SEED]]
#include <csignal>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_target.hh"
#include "units/split_mix.hh"

namespace {

using tributary::SplitMix;
using Input = std::string;

std::vector<Input> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> names;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) names.push_back(entry.path());
  std::ranges::sort(names);
  std::vector<Input> inputs;
  for (const auto& name : names) {
    std::ifstream file{name, std::ios::binary};
    inputs.emplace_back(std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{});
  }
  return inputs;
}

std::uint32_t position(SplitMix& chance, const Input& input) {
  return chance.below(static_cast<std::uint32_t>(input.size() + 1));
}

/// From a mark of texts on, up to the next one: a line, an attribute, a tag.
std::string_view field_at(const Input& input, std::size_t at) {
  constexpr std::string_view kMarks = "\n\"<>,= ";
  const std::size_t begin = std::min(input.find_first_of(kMarks, at), input.size());
  const std::size_t mark = begin < input.size() ? input.find(input[begin], begin + 1) : input.size();
  return std::string_view{input}.substr(begin, std::min(mark, input.size()) - begin);
}

void change(Input& input, const std::vector<Input>& corpus, SplitMix& chance) {
  const std::uint32_t at = position(chance, input);
  switch (chance.below(7)) {
    case 0:
      if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << chance.below(8)));
      break;
    case 1:
      if (at < input.size()) input[at] = static_cast<char>(chance.next());
      break;
    case 2:
      input.erase(at, chance.below(16));
      break;
    case 3:
      input.insert(at, 1 + chance.below(4), static_cast<char>(chance.next()));
      break;
    case 4: {  // something from another one
      const Input& other = corpus[chance.below(static_cast<std::uint32_t>(corpus.size()))];
      input.insert(at, other.substr(position(chance, other), chance.below(64)));
      break;
    }
    case 5: {  // a field in place of one, or moved, or twice
      const Input& other =
          chance.below(2) == 0 ? input : corpus[chance.below(static_cast<std::uint32_t>(corpus.size()))];
      const std::string with{field_at(other, position(chance, other))};
      const std::string_view field = field_at(input, at);
      const auto begin = static_cast<std::size_t>(field.data() - input.data());
      input.replace(begin, chance.below(3) == 0 ? 0 : field.size(), with);
      break;
    }
    default:
      for (std::uint32_t n = chance.below(16); n > 0; --n)
        input.insert(input.begin() + at, static_cast<char>(chance.next()));
  }
}

Input current;

// The input that ends it is written down, so that it can be tried again, and kept.
void on_crash(int signal) {
  std::ofstream{"crash.input", std::ios::binary} << current;
  std::fprintf(stderr, "the input is in crash.input\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(const Input& input) {
  current = input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER [RUNS [SEED]]\n", argv[0]);
    return 2;
  }
  for (const int signal : {SIGABRT, SIGILL, SIGTRAP, SIGSEGV}) std::signal(signal, on_crash);
  const std::vector<Input> corpus = read_corpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s: no inputs there\n", argv[1]);
    return 1;
  }
  for (const Input& input : corpus) run(input);
  const std::uint64_t runs = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  SplitMix chance{seed};
  for (std::uint64_t i = 0; i < runs; ++i) {
    Input input = corpus[chance.below(static_cast<std::uint32_t>(corpus.size()))];
    for (std::uint32_t n = 1 + chance.below(6); n > 0; --n) change(input, corpus, chance);
    run(input);
  }
  std::printf("%zu inputs kept, %llu made by seed %llu: nothing found\n", corpus.size(),
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed));
  return 0;
}
