#include "apps/play/sleep_inhibitor.hh"

#include <utility>

#include "apps/play/translation.hh"

namespace tributary::play {

void SleepInhibitor::inhibit(bool wanted) {
  if (wanted == wanted_) return;
  wanted_ = wanted;
  if (wanted) {
    constexpr auto kWhat = static_cast<GtkApplicationInhibitFlags>(GTK_APPLICATION_INHIBIT_IDLE |
                                                                   GTK_APPLICATION_INHIBIT_SUSPEND);
    cookie_ = gtk_application_inhibit(application_, window_, kWhat, _("A video is playing"));
  } else if (cookie_ != 0) {
    gtk_application_uninhibit(application_, std::exchange(cookie_, 0));
  }
}

}  // namespace tributary::play
