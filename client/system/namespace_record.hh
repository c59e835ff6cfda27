#pragma once

#include <string>

#include "system/file_descriptor.hh"

namespace tributary {

/// A file in $RUNTIME_DIRECTORY, else below /run, one for each network namespace, in which a program notes what it will have to put back. So
/// the next one can do it for a program that was killed. A later namespace does not take it for its own.
class NamespaceRecord {
 public:
  /// Without $RUNTIME_DIRECTORY it is in /run/PROGRAM. Throws std::system_error.
  NamespaceRecord(const std::string& program, const std::string& name);

  /// True: nobody else has the record now, and no one gets it until it is shared or closed.
  bool take_alone();
  /// With all others that share it; waits for one that has it alone.
  void share();

  std::string contents() const;
  /// Instead of what was there. Throws std::system_error.
  void write(const std::string& text);
  void clear() noexcept;
  void remove();

 private:
  std::string path_;
  FileDescriptor file_;
};

}  // namespace tributary
