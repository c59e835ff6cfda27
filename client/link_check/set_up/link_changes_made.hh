#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "link_check/set_up/wanted_steps.hh"

namespace tributary {

/// Does what links need, and undoes it: the steps that were taken, link by link, and what is to be done when links change. Does
/// nothing by itself: commands are run by the world that it is given.
class LinkChangesMade {
 public:
  struct World {
    /// False: it failed.
    std::function<bool(const std::string& link, const Command&)> run;
    /// May fail: what it would undo may be gone.
    std::function<void(const std::string& link, const Command&)> undo;
    /// Called before each change: what puts all back, in the order in which it is to be done.
    std::function<void(const std::vector<Command>& undoing)> note;
    /// Starts a service, and ends it (SetUpStep::runs_on). end() returns when it has ended.
    std::function<bool(const std::string& link, const Command&)> start;
    std::function<void(const std::string& link, const Command&)> end;
  };

  explicit LinkChangesMade(World world) : world_{std::move(world)} {}

  /// The links as they are now. True: something was done, so that they should be looked at again.
  bool links_are(const std::map<std::string, LinkToSetUp>& links);
  /// The service of a step has ended by itself. It is started again once the link needs it anew.
  void ended(const Command& service);
  /// Puts back all, in reverse order.
  void put_back();

 private:
  bool take(const std::string& link, const SetUpStep& step);
  void undo(const std::string& link, const SetUpStep& step, bool link_is_there);
  std::vector<Command> undoing() const;
  void remember_address(const LinkToSetUp& link);
  bool undo_unwanted(const std::string& link, const std::vector<SetUpStep>& wanted, bool link_is_there);

  World world_;
  std::map<std::string, std::vector<SetUpStep>> taken_;  // in order
  std::map<std::string, std::vector<SetUpStep>> failed_;
  std::map<std::string, std::string> last_addresses_;  // by DHCP
};

}  // namespace tributary
