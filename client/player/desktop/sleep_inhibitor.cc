#include "player/desktop/sleep_inhibitor.hh"

#include <utility>

#include "player/glib/g_handles.hh"
#include "player/texts/translation.hh"

namespace tributary::play {
namespace {

void call_screen_saver(GDBusConnection* bus, const char* method, GVariant* arguments, const GVariantType* answer,
                       GAsyncReadyCallback done, gpointer data) {
  constexpr const char *kScreenSaver = "org.freedesktop.ScreenSaver",
                       *kScreenSaverPath = "/org/freedesktop/ScreenSaver";
  g_dbus_connection_call(bus, kScreenSaver, kScreenSaverPath, kScreenSaver, method, arguments, answer,
                         G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nullptr, done, data);
}

}  // namespace

SleepInhibitor::SleepInhibitor(GtkApplication* application, GtkWindow* window)
    : application_{application}, window_{window}, screen_saver_{std::make_shared<ScreenSaver>()} {}

void SleepInhibitor::inhibit(bool wanted) {
  if (wanted == wanted_) return;
  wanted_ = screen_saver_->wanted = wanted;
  if (wanted) {
    constexpr auto kWhat =
        static_cast<GtkApplicationInhibitFlags>(GTK_APPLICATION_INHIBIT_IDLE | GTK_APPLICATION_INHIBIT_SUSPEND);
    cookie_ = gtk_application_inhibit(application_, window_, kWhat, _("A video is playing"));
    if (cookie_ == 0) ask_screen_saver();
    return;
  }
  if (cookie_ != 0) gtk_application_uninhibit(application_, std::exchange(cookie_, 0));
  if (screen_saver_->cookie != 0) {
    let_go(g_application_get_dbus_connection(G_APPLICATION(application_)), std::exchange(screen_saver_->cookie, 0));
  }
}

void SleepInhibitor::ask_screen_saver() const {
  GDBusConnection* const bus = g_application_get_dbus_connection(G_APPLICATION(application_));
  if (bus == nullptr) return;
  call_screen_saver(bus, "Inhibit", g_variant_new("(ss)", TRIBUTARY_PLAY_ID, _("A video is playing")),
                    G_VARIANT_TYPE("(u)"), &SleepInhibitor::answered, new std::shared_ptr<ScreenSaver>{screen_saver_});
}

void SleepInhibitor::answered(GObject* bus, GAsyncResult* result, gpointer screen_saver) {
  const std::unique_ptr<std::shared_ptr<ScreenSaver>> owned{static_cast<std::shared_ptr<ScreenSaver>*>(screen_saver)};
  ScreenSaver& state = **owned;
  const GlibVariant answer{g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, nullptr)};
  if (!answer) return;  // there is no such service
  guint cookie = 0;
  g_variant_get(answer.get(), "(u)", &cookie);
  if (state.wanted && state.cookie == 0) {
    state.cookie = cookie;
  } else {
    let_go(G_DBUS_CONNECTION(bus), cookie);
  }
}

void SleepInhibitor::let_go(GDBusConnection* bus, guint cookie) {
  call_screen_saver(bus, "UnInhibit", g_variant_new("(u)", cookie), nullptr, nullptr, nullptr);
}

}  // namespace tributary::play
