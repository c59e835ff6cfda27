#include "system/share_folder.hh"

namespace tributary {

std::filesystem::path share_folder() {
  std::error_code unreadable;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  return unreadable ? std::filesystem::path{"/usr/share"} : program.parent_path().parent_path() / "share";
}

}  // namespace tributary
