#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/links/link_use.hh"

namespace tributary::play {

/// The user's answers to the question whether to use spared links: for this run by the names of links, and for all
/// runs, in a file, by their networks. Thread-safe. Warns if the file has wrong content, which counts as empty, or
/// cannot be written; the user is then asked again.
class LinkAnswers {
 public:
  struct Surroundings {
    std::function<std::string(const std::string& link)> network_of;
    std::function<void(const std::string& text)> warn;
  };

  LinkAnswers(std::string path, Surroundings around);
  /// $XDG_STATE_HOME/tributary/play-links.json
  static std::string usual_path();

  /// Nothing if the user has not answered.
  std::optional<LinkUse> of(const std::string& link) const;
  void answered(const std::string& link, LinkUse use, bool remember);
  /// The user chose another use later, in the panel. If the file has an answer for the network, the choice replaces it.
  void chosen(const std::string& link, LinkUse use);
  /// Those for all runs, by networks.
  std::map<std::string, LinkUse> remembered() const;
  /// The user decides about a network, also for this run; nothing: it is asked again.
  void decide(const std::string& network, std::optional<LinkUse> use);

 private:
  void save() const;

  std::string path_;
  Surroundings around_;
  mutable std::mutex mutex_;
  std::map<std::string, LinkUse> of_this_run_, of_networks_;
};

}  // namespace tributary::play
