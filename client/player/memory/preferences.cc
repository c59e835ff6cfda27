#include "player/memory/preferences.hh"

#include <fmt/format.h>
#include <glib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "player/glib/g_handles.hh"
#include "presentation/language_tag.hh"

namespace tributary::play {
namespace {

using Colours = Preferences::Colours;

constexpr const char *kKeyGroup = "player", *kColoursKey = "colours", *kLinesKey = "quality", *kSoundKey = "audio",
                     *kSubtitlesKey = "subtitles", *kRemembersKey = "remember", *kHardwareKey = "hardware-decoding";
constexpr std::array<std::pair<Colours, const char*>, 3> kColourNames{
    {{Colours::kOfDesktop, "desktop"}, {Colours::kLight, "light"}, {Colours::kDark, "dark"}}};

struct FreeKeys {
  void operator()(GKeyFile* keys) const { g_key_file_unref(keys); }
};
using Keys = std::unique_ptr<GKeyFile, FreeKeys>;

/// One value after the other, each of which may be wrong.
class Reading {
 public:
  Reading(const Keys& keys, const std::function<void(const std::string&)>& complain)
      : keys_{keys.get()}, complain_{complain} {}

  std::string text(const char* name) const {
    return text_of(GlibString{g_key_file_get_string(keys_, kKeyGroup, name, nullptr)}.get());
  }
  bool has(const char* name) const { return g_key_file_has_key(keys_, kKeyGroup, name, nullptr) != FALSE; }
  void refuse(const char* name) const {
    complain_(fmt::format("{}={}: that is nothing to set it to", name, text(name)));
  }
  /// `otherwise` if it is not set, or to nothing that it can be set to.
  bool choice(const char* name, bool otherwise) const {
    if (!has(name)) return otherwise;
    GError* error = nullptr;
    const bool said = g_key_file_get_boolean(keys_, kKeyGroup, name, &error) != FALSE;
    if (error == nullptr) return said;
    g_clear_error(&error);
    refuse(name);
    return otherwise;
  }
  std::string language(const char* name) const {
    const std::string said = text(name);
    const auto known = language_tag(said);
    if (!known && !said.empty()) refuse(name);
    return known.value_or("");
  }

 private:
  GKeyFile* keys_;
  const std::function<void(const std::string&)>& complain_;
};

}  // namespace

std::string to_key_file(const Preferences& preferences) {
  const Keys keys{g_key_file_new()};
  const auto* const colours =
      std::ranges::find(kColourNames, preferences.colours, [](const auto& entry) { return entry.first; });
  g_key_file_set_string(keys.get(), kKeyGroup, kColoursKey, colours->second);
  g_key_file_set_integer(keys.get(), kKeyGroup, kLinesKey, preferences.lines);
  g_key_file_set_string(keys.get(), kKeyGroup, kSoundKey, preferences.sound.c_str());
  g_key_file_set_string(keys.get(), kKeyGroup, kSubtitlesKey, preferences.subtitles.c_str());
  g_key_file_set_boolean(keys.get(), kKeyGroup, kRemembersKey, preferences.remembers ? TRUE : FALSE);
  g_key_file_set_boolean(keys.get(), kKeyGroup, kHardwareKey, preferences.hardware ? TRUE : FALSE);
  return text_of(GlibString{g_key_file_to_data(keys.get(), nullptr, nullptr)}.get());
}

Preferences from_key_file(const std::string& text, const std::function<void(const std::string&)>& complain) {
  Preferences preferences;
  const Keys keys{g_key_file_new()};
  GError* error = nullptr;
  if (g_key_file_load_from_data(keys.get(), text.data(), text.size(), G_KEY_FILE_NONE, &error) == FALSE) {
    complain(GlibError { error } -> message);
    return preferences;
  }
  const Reading reading{keys, complain};
  const auto* const colours = std::ranges::find(kColourNames, reading.text(kColoursKey),
                                                [](const auto& entry) { return std::string{entry.second}; });
  if (colours != kColourNames.end()) {
    preferences.colours = colours->first;
  } else if (reading.has(kColoursKey)) {
    reading.refuse(kColoursKey);
  }
  constexpr int kMostLines = 10'000;
  const int lines = g_key_file_get_integer(keys.get(), kKeyGroup, kLinesKey, &error);
  const bool is_number = error == nullptr;
  g_clear_error(&error);
  if (is_number && lines >= 0 && lines <= kMostLines) {
    preferences.lines = lines;
  } else if (reading.has(kLinesKey)) {
    reading.refuse(kLinesKey);
  }
  preferences.sound = reading.language(kSoundKey);
  preferences.subtitles = reading.language(kSubtitlesKey);
  preferences.remembers = reading.choice(kRemembersKey, preferences.remembers);
  preferences.hardware = reading.choice(kHardwareKey, preferences.hardware);
  return preferences;
}

PreferencesFile::PreferencesFile(std::string path, Complain complain)
    : path_{std::move(path)}, complain_{std::move(complain)} {}

std::string PreferencesFile::usual_path() {
  return std::filesystem::path{g_get_user_config_dir()} / "tributary" / "play.conf";
}

Preferences PreferencesFile::read() const {
  char* bytes = nullptr;
  gsize length = 0;
  GError* error = nullptr;
  if (g_file_get_contents(path_.c_str(), &bytes, &length, &error) == FALSE) {
    const GlibError unreadable{error};
    if (!g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) complain_(error->message);
    return {};
  }
  const GlibString text{bytes};
  return from_key_file({text.get(), length},
                       [this](const std::string& what) { complain_(fmt::format("{}: {}", path_, what)); });
}

void PreferencesFile::write(const Preferences& preferences) const {
  constexpr int kOnlyTheUser = 0700;
  g_mkdir_with_parents(std::filesystem::path{path_}.parent_path().c_str(), kOnlyTheUser);
  const std::string text = to_key_file(preferences);
  GError* error = nullptr;
  if (g_file_set_contents(path_.c_str(), text.data(), static_cast<gssize>(text.size()), &error) == FALSE)
    complain_(GlibError { error } -> message);
}

}  // namespace tributary::play
