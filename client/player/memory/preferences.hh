#pragma once

#include <functional>
#include <string>

namespace tributary::play {

/// What the user has set for all titles. Words of the command line go before it.
struct Preferences {
  enum class Colours { kOfDesktop, kLight, kDark };

  Colours colours = Colours::kOfDesktop;
  int lines = 0;          // qualities with no more lines; 0: all
  bool hardware = false;  // decodes pictures where it can
  std::string sound;      // a language; empty: the first sound
  std::string subtitles;  // a language; empty: none
  bool remembers = true;  // films and positions

  bool operator==(const Preferences&) const = default;
};

/// As a key file (the format of desktop entries). A value that means nothing is reported, and counts as not set.
std::string to_key_file(const Preferences& preferences);
Preferences from_key_file(const std::string& text, const std::function<void(const std::string&)>& complain);

/// The preferences of this user, in $XDG_CONFIG_HOME/tributary/play.conf. Errors go to `complain`.
class PreferencesFile {
 public:
  using Complain = std::function<void(const std::string&)>;

  PreferencesFile(std::string path, Complain complain);
  static std::string usual_path();

  Preferences read() const;
  void write(const Preferences& preferences) const;

 private:
  std::string path_;
  Complain complain_;
};

}  // namespace tributary::play
