#pragma once

#include <sys/stat.h>

#include <optional>

#include "download/files/checksum.hh"
#include "download/files/destination.hh"
#include "system/file_descriptor.hh"

namespace tributary {

/// FILE.part, which becomes FILE once it is whole. It is locked, so that no two downloads write it. An existing
/// FILE.part is written only if an earlier download of this user left it, with FILE.part.json beside it. No symbolic
/// link is followed.
class PartFile : public Destination {
 public:
  enum class Content { kFresh, kKept };
  /// `path` is that of FILE.
  PartFile(std::string path, Content content, std::optional<Checksum> checksum = {});

  static std::string part_path(const std::string& path) { return path + ".part"; }
  static std::string state_path(const std::string& path) { return path + ".part.json"; }
  /// The content of FILE.part.json; nothing if there is none. Throws JsonError that names the place in it.
  static std::optional<DownloadState> state_beside(const std::string& path);

  void write(DataSize offset, std::span<const std::byte> bytes) override;
  void note(const DownloadState& state) override;
  /// Gives the file its name, and removes FILE.part.json. If it has not the checksum, removes both, and throws
  /// WrongChecksum.
  void finish(DataSize size) override;
  /// Removes FILE.part and FILE.part.json.
  void discard() override;
  DataSize size() const;
  /// Takes away what is behind the object's end.
  void cut_to(DataSize size);
  /// Of FILE.part, open for reading and writing.
  int descriptor() const { return fd_.get(); }

 private:
  bool noted() const;
  void open_own();
  void begin_anew(bool noted);
  struct stat status() const;
  /// Whether FILE.part is the file that is open here.
  bool stands_there() const;
  void check(bool good, const char* what) const;

  std::string path_;
  std::optional<Checksum> checksum_;
  FileDescriptor fd_;
  FileDescriptor room_;  // without a name; given back to the disk where FILE.part.json finds none
  bool on_disk_ = true;  // all that was written
};

}  // namespace tributary
