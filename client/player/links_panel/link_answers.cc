#include "player/links_panel/link_answers.hh"

#include <fmt/format.h>
#include <glib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "player/glib/g_handles.hh"
#include "presentation/json/json_node.hh"

namespace tributary::play {
namespace {

constexpr std::string_view kAnswersFormat = "tributary-play-links";
constexpr int kAnswersVersion = 1;
constexpr std::array<std::pair<LinkUse, std::string_view>, 3> kUses{
    {{LinkUse::kUse, "use"}, {LinkUse::kWhenNeeded, "when-needed"}, {LinkUse::kDoNotUse, "do-not-use"}}};

LinkUse use_from(const JsonNode& node) {
  const auto found = std::ranges::find(kUses, node.text(), [](const auto& entry) { return std::string{entry.second}; });
  if (found == kUses.end()) node.refuse("is not use, when-needed or do-not-use");
  return found->first;
}

std::map<std::string, LinkUse> networks_from(const std::string& text) {
  const nlohmann::json document = parse_json(text);
  const JsonNode node{document, ""};
  node.expect_format(kAnswersFormat, kAnswersVersion);
  std::map<std::string, LinkUse> networks;
  const JsonNode list = node.member("networks");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonNode entry = list.element(i);
    networks[entry.member("network").text()] = use_from(entry.member("use"));
  }
  return networks;
}

}  // namespace

LinkAnswers::LinkAnswers(std::string path, Surroundings around) : path_{std::move(path)}, around_{std::move(around)} {
  char* bytes = nullptr;
  gsize length = 0;
  if (!g_file_get_contents(path_.c_str(), &bytes, &length, nullptr)) return;
  const GlibString text{bytes};
  try {
    of_networks_ = networks_from({text.get(), length});
  } catch (const JsonError& error) {
    around_.warn(fmt::format("{}: {}: whether links that cost something are used is asked again", path_, error.what()));
  }
}

std::string LinkAnswers::usual_path() {
  return std::filesystem::path{g_get_user_state_dir()} / "tributary" / "play-links.json";
}

std::optional<LinkUse> LinkAnswers::of(const std::string& link) const {
  const std::lock_guard lock{mutex_};
  if (const auto found = of_this_run_.find(link); found != of_this_run_.end()) return found->second;
  const auto found = of_networks_.find(around_.network_of(link));
  return found == of_networks_.end() ? std::nullopt : std::optional{found->second};
}

void LinkAnswers::answered(const std::string& link, LinkUse use, bool remember) {
  const std::lock_guard lock{mutex_};
  of_this_run_[link] = use;
  if (!remember) return;
  of_networks_[around_.network_of(link)] = use;
  save();
}

void LinkAnswers::chosen(const std::string& link, LinkUse use) {
  const std::lock_guard lock{mutex_};
  of_this_run_[link] = use;
  const auto found = of_networks_.find(around_.network_of(link));
  if (found == of_networks_.end() || found->second == use) return;
  found->second = use;
  save();
}

std::map<std::string, LinkUse> LinkAnswers::remembered() const {
  const std::lock_guard lock{mutex_};
  return of_networks_;
}

void LinkAnswers::decide(const std::string& network, std::optional<LinkUse> use) {
  const std::lock_guard lock{mutex_};
  std::erase_if(of_this_run_, [&](const auto& answer) { return around_.network_of(answer.first) == network; });
  of_networks_.erase(network);
  if (use) of_networks_[network] = *use;
  save();
}

void LinkAnswers::save() const {
  constexpr int kOnlyTheUser = 0700;
  nlohmann::ordered_json out{
      {"format", kAnswersFormat}, {"version", kAnswersVersion}, {"networks", nlohmann::ordered_json::array()}};
  for (const auto& [network, use] : of_networks_) {
    const auto name = std::ranges::find(kUses, use, [](const auto& entry) { return entry.first; })->second;
    out["networks"].push_back({{"network", network}, {"use", name}});
  }
  const std::string text = out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  g_mkdir_with_parents(std::filesystem::path{path_}.parent_path().c_str(), kOnlyTheUser);
  GError* error = nullptr;
  if (!g_file_set_contents_full(path_.c_str(), text.data(), static_cast<gssize>(text.size()),
                                G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error)) {
    around_.warn(GlibError { error } -> message);
  }
}

}  // namespace tributary::play
