// Rewrites manifests, and compares what our readers read of both texts. For each file a line: "same", "refused" or "differs".
//   check_rewriting FILE...
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

#include "proxy/rewriting/rewriting_examination.hh"

using namespace tributary;

int main(int argc, char** argv) {
  bool all_same = argc > 1;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file{argv[i], std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
    try {
      proxy::RewritingExamination examination{text, "https://film.example/a/b/manifest?token=1&name=x"};
      const std::string complaint = examination.complaint();
      if (complaint.empty())
        fmt::print("same {} ({} addresses)\n", argv[i], examination.addresses());
      else
        fmt::print("differs {}: {}\n{}\n", argv[i], complaint, examination.rewritten());
      all_same = all_same && complaint.empty();
    } catch (const ManifestError& error) {
      fmt::print("refused {}: {}\n", argv[i], error.what());
    }
  }
  return all_same ? 0 : 1;
}
