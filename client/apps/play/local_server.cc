#include "apps/play/local_server.hh"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace tributary::play {
namespace {

struct MappedFileUnref {
  void operator()(GMappedFile* file) const { g_mapped_file_unref(file); }
};
using MappedFile = std::unique_ptr<GMappedFile, MappedFileUnref>;

struct BytesUnref {
  void operator()(GBytes* bytes) const { g_bytes_unref(bytes); }
};

/// Nothing that leads out of the folder.
bool stays_inside(const std::filesystem::path& name) {
  for (const auto& part : name) {
    if (part == ".." || part == "/") return false;
  }
  return !name.empty();
}

/// Changes when the file does, so that no one joins ranges of two files.
std::string entity_tag(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return fmt::format("\"{:x}-{:x}-{:x}\"", status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size);
}

std::string secret() {
  const CString uuid{g_uuid_string_random()};
  return uuid.get();
}

}  // namespace

LocalServer::LocalServer(std::string folder)
    : folder_{std::move(folder)},
      prefix_{"/" + secret() + "/"},
      server_{Ref<SoupServer>::take(soup_server_new("server-header", "tributary-play", nullptr))} {
  soup_server_add_handler(
      server_.get(), prefix_.c_str(),
      [](SoupServer*, SoupServerMessage* message, const char* path, GHashTable*, gpointer self) {
        static_cast<const LocalServer*>(self)->answer(message, path);
      },
      this, nullptr);
  GError* error = nullptr;
  if (!soup_server_listen_local(server_.get(), 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error)) {
    const Error why{error};
    throw std::runtime_error{why->message};
  }
}

LocalServer::~LocalServer() { soup_server_disconnect(server_.get()); }

std::string LocalServer::address(const std::string& name) const {
  GSList* uris = soup_server_get_uris(server_.get());
  const int port = g_uri_get_port(static_cast<GUri*>(uris->data));
  g_slist_free_full(uris, [](gpointer uri) { g_uri_unref(static_cast<GUri*>(uri)); });
  const CString escaped{g_uri_escape_string(name.c_str(), "/", FALSE)};
  return fmt::format("http://127.0.0.1:{}{}{}", port, prefix_, escaped.get());
}

void LocalServer::answer(SoupServerMessage* message, const char* path) const {
  const std::string_view method = soup_server_message_get_method(message);
  if (method != "GET" && method != "HEAD") {
    return soup_server_message_set_status(message, SOUP_STATUS_METHOD_NOT_ALLOWED, nullptr);
  }
  const std::filesystem::path name = std::string_view{path}.substr(prefix_.size());
  const std::filesystem::path file = std::filesystem::path{folder_} / name;
  std::error_code unreadable;
  const bool regular = stays_inside(name) && std::filesystem::is_regular_file(file, unreadable);
  const MappedFile mapped{regular ? g_mapped_file_new(file.c_str(), FALSE, nullptr) : nullptr};
  if (!mapped) return soup_server_message_set_status(message, SOUP_STATUS_NOT_FOUND, nullptr);
  SoupMessageHeaders* headers = soup_server_message_get_response_headers(message);
  const std::string tag = entity_tag(file);
  soup_message_headers_replace(headers, "ETag", tag.c_str());
  // libsoup does not know If-Range (RFC 9110 section 13.1.5).
  SoupMessageHeaders* asked = soup_server_message_get_request_headers(message);
  const char* only_of = soup_message_headers_get_one(asked, "If-Range");
  if (only_of != nullptr && only_of != tag) soup_message_headers_remove(asked, "Range");
  soup_message_headers_replace(headers, "Accept-Ranges", "bytes");
  const std::unique_ptr<GBytes, BytesUnref> bytes{g_mapped_file_get_bytes(mapped.get())};
  soup_message_body_append_bytes(soup_server_message_get_response_body(message), bytes.get());
  soup_server_message_set_status(message, SOUP_STATUS_OK,
                                 nullptr);  // libsoup makes it the range that was asked for
}

}  // namespace tributary::play
