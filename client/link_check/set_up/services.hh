#pragma once

#include <sys/types.h>

#include <map>

#include "link_check/set_up/wanted_steps.hh"
#include "system/file_descriptor.hh"

namespace tributary {

/// Commands that run on (SetUpStep::runs_on).
class Services {
 public:
  /// Ends all.
  ~Services();

  /// The service ends with this program, also if this program is killed.
  void start(const Command& command);
  /// Returns when the service has ended.
  void end(const Command& command);

  /// Readable once the service has ended by itself.
  int file_descriptor(const Command& command) const { return running_.at(command).ended.get(); }
  /// To be called after that.
  void forget(const Command& command);

 private:
  struct Running {
    pid_t process = 0;
    FileDescriptor ended;  // a pidfd
  };

  std::map<Command, Running> running_;
};

}  // namespace tributary
