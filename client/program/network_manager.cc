#include "program/network_manager.hh"

#include <gio/gio.h>

#include "system/glib_handles.hh"

namespace tributary {
namespace {

constexpr char kService[] = "org.freedesktop.NetworkManager";
constexpr int kPatience_ms = 1000;

/// Null if there is no answer.
GlibVariant call(void* bus, const char* path, const char* interface, const char* method, GVariant* arguments) {
  if (bus == nullptr) {
    g_variant_unref(g_variant_ref_sink(arguments));
    return nullptr;
  }
  return GlibVariant{g_dbus_connection_call_sync(static_cast<GDBusConnection*>(bus), kService, path, interface, method,
                                                 arguments, nullptr, G_DBUS_CALL_FLAGS_NO_AUTO_START, kPatience_ms,
                                                 nullptr, nullptr)};
}

GlibVariant property(void* bus, const char* path, const char* interface, const char* name) {
  const GlibVariant answer =
      call(bus, path, "org.freedesktop.DBus.Properties", "Get", g_variant_new("(ss)", interface, name));
  if (!answer || !g_variant_is_of_type(answer.get(), G_VARIANT_TYPE("(v)"))) return nullptr;
  GVariant* value = nullptr;
  g_variant_get(answer.get(), "(v)", &value);
  return GlibVariant{value};
}

GlibVariant property_of_device(void* bus, const std::string& link, const char* name) {
  const GlibVariant device =
      call(bus, "/org/freedesktop/NetworkManager", kService, "GetDeviceByIpIface", g_variant_new("(s)", link.c_str()));
  if (!device || !g_variant_is_of_type(device.get(), G_VARIANT_TYPE("(o)"))) return nullptr;
  const char* path = nullptr;
  g_variant_get(device.get(), "(&o)", &path);
  return property(bus, path, "org.freedesktop.NetworkManager.Device", name);
}

}  // namespace

NetworkManager::NetworkManager() : bus_{g_bus_get_sync(G_BUS_TYPE_SYSTEM, nullptr, nullptr)} {
  if (bus_ != nullptr) g_dbus_connection_set_exit_on_close(static_cast<GDBusConnection*>(bus_), FALSE);
}

NetworkManager::~NetworkManager() {
  if (bus_ != nullptr) g_object_unref(bus_);
}

bool NetworkManager::runs() const {
  return property(bus_, "/org/freedesktop/NetworkManager", kService, "Version") != nullptr;
}

std::optional<bool> NetworkManager::metered(const std::string& link) const {
  const GlibVariant value = property_of_device(bus_, link, "Metered");
  if (!value || !g_variant_is_of_type(value.get(), G_VARIANT_TYPE_UINT32)) return std::nullopt;
  switch (g_variant_get_uint32(value.get())) {  // NMMetered
    case 1:                                     // yes
    case 3:                                     // a guess
      return true;
    case 2:
    case 4:
      return false;
    default:
      return std::nullopt;
  }
}

bool NetworkManager::manages(const std::string& link) const {
  const GlibVariant value = property_of_device(bus_, link, "Managed");
  return value && g_variant_is_of_type(value.get(), G_VARIANT_TYPE_BOOLEAN) && g_variant_get_boolean(value.get());
}

}  // namespace tributary
