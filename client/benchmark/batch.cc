#include "benchmark/batch.hh"

#include <fmt/format.h>

#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tributary {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  try {
    return nlohmann::json::parse(line).get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error(fmt::format("--batch: \"{}\": expected a JSON array of words", line));
  }
}

}  // namespace

void run_batch(std::istream& in, std::ostream& out, const std::function<RunEnd(int argc, char** argv)>& run) {
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> words = words_of(line);
    words.insert(words.begin(), "tributary-bench");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const RunEnd end = run(static_cast<int>(words.size()), argv.data());
    nlohmann::ordered_json answer{{"exit_status", end.exit_status}, {"length_s", to_seconds(end.length)}};
    out << answer.dump() << std::endl;
  }
}

}  // namespace tributary
