#include "download/first_bytes.hh"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "download/title_download.hh"
#include "transport/documents/document_fetch.hh"

namespace tributary {
namespace {

/// Of an object that comes coded, which is kept as it comes. Empty: they cannot be decoded.
std::string first_bytes_decoded(const FoundObject& object, const GetOptions& options, transport::CurlLoop& loop,
                                const std::function<void()>& wait) {
  transport::DocumentFetch fetch{loop,
                                 object.head.url,
                                 options.rules.over(object.link),
                                 {.goes_on = [](std::string_view begin) { return begin.size() < kEnoughOfManifest; }}};
  try {
    for (;;) {
      if (const auto document = fetch.result()) return document->text;
      wait();
    }
  } catch (const transport::FetchError&) {
    return "";
  }
}

}  // namespace

std::string first_bytes_of(const std::string& path) {
  std::string bytes(kEnoughOfManifest, '\0');
  std::ifstream file{path, std::ios::binary};
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

std::string first_bytes_of(const FoundObject& object, const std::string& path, const GetOptions& options,
                           transport::CurlLoop& loop, const std::function<void()>& wait) {
  if (!object.head.coding.empty()) return first_bytes_decoded(object, options, loop, wait);
  if (!object.head.ranges) return first_bytes_of(path);
  if (object.front && object.head.brings.begin == DataSize{}) {
    while (object.front->waiting().size() < kEnoughOfManifest && !object.front->ended()) wait();
    const auto bytes = object.front->waiting().first(std::min(object.front->waiting().size(), kEnoughOfManifest));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // A link that is to be spared brought one byte only.
  const DataSize enough{static_cast<std::int64_t>(kEnoughOfManifest)};
  transport::DocumentFetch fetch{
      loop, object.head.url, options.rules.over(object.link), {.size = enough, .range = ByteRange{DataSize{}, enough}}};
  for (;;) {
    if (const auto document = fetch.result()) return document->text;
    wait();
  }
}

}  // namespace tributary
