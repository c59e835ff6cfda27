#pragma once

#include <sys/types.h>

#include <map>

#include "apps/links/set_up/wanted_steps.hh"
#include "system/file_descriptor.hh"

namespace tributary {

/// Commands of the system's administration, also of folders that users do not search.
class ChildProcesses {
 public:
  /// Those that run on are ended.
  ~ChildProcesses();

  /// Waits for its end. False: it could not be run, or ended with an error, which it has told on standard error; quietly: it has
  /// not.
  static bool run(const Command& command, bool quietly);
  /// It is ended with this program, also if this one is killed.
  void start(const Command& command);
  /// Returns when it has ended.
  void end(const Command& command);

  /// Readable once it has ended by itself.
  int file_descriptor(const Command& command) const { return running_.at(command).ended.get(); }
  /// After that.
  void forget(const Command& command);

 private:
  struct Running {
    pid_t process = 0;
    FileDescriptor ended;  // a pidfd
  };

  std::map<Command, Running> running_;
};

/// True: the shell would find it.
bool program_exists(const std::string& name);

}  // namespace tributary
