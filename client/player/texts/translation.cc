#include "player/texts/translation.hh"

#include <glib.h>

#include <clocale>

#include "player/glib/g_handles.hh"
#include "system/share_folder.hh"

namespace tributary::play {

void start_translation() {
  std::setlocale(LC_ALL, "");
  const std::string folder = share_folder() / "locale";
  bindtextdomain(TRIBUTARY_PLAY_DOMAIN, folder.c_str());
  bind_textdomain_codeset(TRIBUTARY_PLAY_DOMAIN, "UTF-8");
  textdomain(TRIBUTARY_PLAY_DOMAIN);
}

}  // namespace tributary::play
