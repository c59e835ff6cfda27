// Manifests that a proxy hands on: the rewritten text is the same presentation, and each of its addresses leads to where
// the original one does. No target leads to an address that was not announced.
#include <cstdio>
#include <string>

#include "fuzz_target.hh"
#include "proxy/rewriting/rewriting_examination.hh"

using namespace tributary;

namespace {

constexpr std::size_t kMostText = 20'000;

/// Requests of somebody who knows the text: each line is a target.
void ask(const proxy::TitleFiles& files, std::string_view text) {
  for (int lines = 0; lines < 50 && !text.empty(); ++lines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto url = files.upstream("/1/0/" + std::string{text.substr(0, end)});
    if (url) {
      fuzz::require(url->find('\r') == std::string::npos && url->find('\n') == std::string::npos);
      fuzz::require(proxy::address_from(*url)->url() == *url);
      (void)files.kind(*url);
      if (const auto file = files.file(*url, {}, {})) (void)files.next(*file, {});
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMostText) return 0;
  const std::string text{fuzz::text(data, size)};
  constexpr auto kUrl = "https://film.example/a/manifest?token=1&a=x";
  try {
    proxy::RewritingExamination examination{text, kUrl};
    const std::string complaint = examination.complaint();
    if (!complaint.empty()) std::fprintf(stderr, "%s\n%s\n", complaint.c_str(), examination.rewritten().c_str());
    fuzz::require(complaint.empty());
    proxy::TitleFiles files{"/1"};
    const auto once = files.take_in(text, "https://edge.example/b/manifest", kUrl);
    fuzz::require(files.take_in(text, "https://edge.example/b/manifest", kUrl).text == once.text);
    ask(files, text);
  } catch (const ManifestError& error) {
    fuzz::require(*error.what() != '\0');
  }
  return 0;
}
