#include "apps/play/texts/translation.hh"

#include <glib.h>

#include <clocale>
#include <filesystem>

#include "apps/play/glib/g_handles.hh"

namespace tributary::play {
namespace {

/// The program is in PREFIX/bin, installed or built; share/ lies beside that bin/.
std::filesystem::path share_folder() {
  std::error_code unreadable;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  return unreadable ? std::filesystem::path{"/usr/share"} : program.parent_path().parent_path() / "share";
}

}  // namespace

void start_translation() {
  std::setlocale(LC_ALL, "");
  const std::string folder = share_folder() / "locale";
  bindtextdomain(TRIBUTARY_PLAY_DOMAIN, folder.c_str());
  bind_textdomain_codeset(TRIBUTARY_PLAY_DOMAIN, "UTF-8");
  textdomain(TRIBUTARY_PLAY_DOMAIN);
}

}  // namespace tributary::play
