#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/links/link_use.hh"

namespace tributary::play {

/// What the user answered when asked whether links that cost something are to be used: of this run by the names of links, and of
/// all runs, in a file, by the networks that they lead to. Calls may come from any thread. A file that cannot be read or written is
/// told, and counts as empty: the user is asked again.
class LinkAnswers {
 public:
  struct Surroundings {
    std::function<std::string(const std::string& link)> network_of;
    std::function<void(const std::string& text)> warn;
  };

  LinkAnswers(std::string path, Surroundings around);
  /// $XDG_STATE_HOME/tributary/play-links.json
  static std::string usual_path();

  /// Nothing: the user has not been asked, or has not answered.
  std::optional<LinkUse> of(const std::string& link) const;
  void answered(const std::string& link, LinkUse use, bool remember);
  /// He chose something else later. Where the answer is remembered, this is, too.
  void chosen(const std::string& link, LinkUse use);

 private:
  void save() const;

  std::string path_;
  Surroundings around_;
  mutable std::mutex mutex_;
  std::map<std::string, LinkUse> of_this_run_, of_networks_;
};

}  // namespace tributary::play
