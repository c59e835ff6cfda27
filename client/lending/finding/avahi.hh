#pragma once

#include <gio/gio.h>

#include <memory>
#include <string>

#include "system/glib_handles.hh"

namespace tributary::lending {

inline constexpr const char* kAvahi = "org.freedesktop.Avahi";
inline constexpr const char* kAvahiServer = "org.freedesktop.Avahi.Server";
inline constexpr int kAnyInterface = -1, kAnyProtocol = -1;

/// Calls a method of Avahi. Null: there is no answer; `problem`, if it is not null, is told why.
inline GlibVariant call_avahi(void* bus, const std::string& path, const char* interface, const char* method,
                              GVariant* arguments, std::string* problem = nullptr) {
  constexpr int kPatience_ms = 2000;
  if (bus == nullptr) {
    if (arguments != nullptr) g_variant_unref(g_variant_ref_sink(arguments));
    if (problem != nullptr) *problem = "there is no D-Bus of the system";
    return nullptr;
  }
  GError* error = nullptr;
  GVariant* const answer =
      g_dbus_connection_call_sync(static_cast<GDBusConnection*>(bus), kAvahi, path.c_str(), interface, method,
                                  arguments, nullptr, G_DBUS_CALL_FLAGS_NO_AUTO_START, kPatience_ms, nullptr, &error);
  const GlibError failed{error};
  if (failed && problem != nullptr) *problem = failed->message;
  return GlibVariant{answer};
}

/// The D-Bus of the system; null: there is none.
inline void* avahi_bus() {
  GDBusConnection* const bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, nullptr, nullptr);
  if (bus != nullptr) g_dbus_connection_set_exit_on_close(bus, FALSE);
  return bus;
}

}  // namespace tributary::lending
