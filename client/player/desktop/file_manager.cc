#include "player/desktop/file_manager.hh"

#include <filesystem>
#include <memory>

#include "player/glib/g_handles.hh"

namespace tributary::play {
namespace {

void open_folder(const std::string& path) {
  const std::string folder = std::filesystem::path{path}.parent_path();
  const GlibString uri{g_filename_to_uri(folder.c_str(), nullptr, nullptr)};
  if (uri) g_app_info_launch_default_for_uri_async(uri.get(), nullptr, nullptr, nullptr, nullptr);
}

void answered(GObject* bus, GAsyncResult* result, gpointer data) {
  const std::unique_ptr<std::string> path{static_cast<std::string*>(data)};
  const GlibVariant answer{g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, nullptr)};
  if (!answer) open_folder(*path);  // there is no such service
}

}  // namespace

void show_in_folder(GApplication* application, const std::string& path) {
  GDBusConnection* const bus = g_application_get_dbus_connection(application);
  const GlibString uri{g_filename_to_uri(path.c_str(), nullptr, nullptr)};
  if (!uri) return;
  if (bus == nullptr) return open_folder(path);
  constexpr const char* kFileManager = "org.freedesktop.FileManager1";
  GVariantBuilder uris{};
  g_variant_builder_init(&uris, G_VARIANT_TYPE("as"));
  g_variant_builder_add(&uris, "s", uri.get());
  g_dbus_connection_call(bus, kFileManager, "/org/freedesktop/FileManager1", kFileManager, "ShowItems",
                         g_variant_new("(ass)", &uris, ""), nullptr, G_DBUS_CALL_FLAGS_NONE, -1, nullptr, answered,
                         new std::string{path});
}

}  // namespace tributary::play
