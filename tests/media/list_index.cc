// Reads the sidx in bytes BEGIN to END of a file, END excluded, and prints it as a line of JSON.
//   list_index FILE BEGIN END
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "media/segment_index.hh"

using namespace tributary;

namespace {

nlohmann::json json_of(const IndexBox& index) {
  auto references = nlohmann::json::array();
  for (const IndexReference& one : index.references) {
    references.push_back({{"range", {one.range.begin.bytes(), one.range.end.bytes()}},
                          {"start", static_cast<double>(one.start) / index.timescale},
                          {"duration", static_cast<double>(one.duration) / index.timescale},
                          {"further_index", one.further_index}});
  }
  return {{"references", std::move(references)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::int64_t begin = std::atoll(argv[2]), end = std::atoll(argv[3]);
  std::string bytes(static_cast<std::size_t>(end - begin), '\0');
  std::ifstream file{argv[1], std::ios::binary};
  file.seekg(begin);
  file.read(bytes.data(), end - begin);
  nlohmann::json json;
  try {
    json = json_of(read_segment_index(std::as_bytes(std::span{bytes.data(), static_cast<std::size_t>(file.gcount())}),
                                      DataSize{begin}));
  } catch (const BoxError& error) {
    json = {{"refused", error.what()}};
  }
  std::printf("%s\n", json.dump().c_str());
  return json.contains("refused") ? 1 : 0;
}
