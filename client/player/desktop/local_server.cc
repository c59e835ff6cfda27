#include "player/desktop/local_server.hh"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "player/desktop/served_file.hh"

namespace tributary::play {
namespace {

std::string secret() {
  const GlibString uuid{g_uuid_string_random()};
  return uuid.get();
}

void throw_error(GError* error) {
  const GlibError why{error};
  throw std::runtime_error{why->message};
}

/// Sends a part of a file piece by piece: reads the next piece when the one before has been sent.
class Delivery {
 public:
  Delivery(ServedFile file, FilePart part, Ref<GSocket> socket)
      : file_{std::move(file)}, part_{part}, socket_{std::move(socket)} {}

  static void begin(SoupServerMessage* message, std::unique_ptr<Delivery> delivery) {
    SoupMessageBody* body = soup_server_message_get_response_body(message);
    soup_message_body_set_accumulate(body, FALSE);
    const auto next = [](SoupServerMessage* asked, gpointer self) { static_cast<Delivery*>(self)->next(asked); };
    const auto end = [](gpointer self, GClosure*) { delete static_cast<Delivery*>(self); };
    Delivery* const self = delivery.release();
    g_signal_connect_data(message, "wrote-chunk", G_CALLBACK(+next), self, +end, G_CONNECT_DEFAULT);
    self->next(message);
  }

 private:
  void next(SoupServerMessage* message) {
    constexpr std::int64_t kPiece = 256 * 1024;
    SoupMessageBody* body = soup_server_message_get_response_body(message);
    if (part_.begin == part_.end) return soup_message_body_complete(body);
    const std::int64_t length = std::min(kPiece, part_.end - part_.begin);
    std::vector<char> bytes = file_.read(part_.begin, length);
    if (std::ssize(bytes) < length) {
      // The file has changed, so its rest does not belong to the bytes that were sent. The connection ends.
      if (socket_) g_socket_shutdown(socket_.get(), TRUE, TRUE, nullptr);
      bytes.assign(static_cast<std::size_t>(length), 0);
    }
    part_.begin += length;
    soup_message_body_append(body, SOUP_MEMORY_COPY, bytes.data(), bytes.size());
  }

  ServedFile file_;
  FilePart part_;
  Ref<GSocket> socket_;
};

int port_of(GSocketAddress* address) {
  return G_IS_INET_SOCKET_ADDRESS(address) ? g_inet_socket_address_get_port(G_INET_SOCKET_ADDRESS(address)) : 0;
}

}  // namespace

LocalServer::LocalServer(std::string folder)
    : folder_{std::move(folder)},
      prefix_{"/" + secret() + "/"},
      server_{Ref<SoupServer>::take(soup_server_new("server-header", "tributary-play", nullptr))},
      service_{Ref<GSocketService>::take(g_socket_service_new())} {
  // Drops the bodies of requests.
  soup_server_add_early_handler(
      server_.get(), nullptr,
      [](SoupServer*, SoupServerMessage* message, const char*, GHashTable*, gpointer) {
        soup_message_body_set_accumulate(soup_server_message_get_request_body(message), FALSE);
      },
      nullptr, nullptr);
  soup_server_add_handler(
      server_.get(), nullptr,
      [](SoupServer*, SoupServerMessage* message, const char* path, GHashTable*, gpointer self) {
        static_cast<const LocalServer*>(self)->answer(message, path);
      },
      this, nullptr);
  listen();
}

LocalServer::~LocalServer() {
  g_signal_handlers_disconnect_by_data(service_.get(), this);
  g_socket_service_stop(service_.get());
  g_socket_listener_close(G_SOCKET_LISTENER(service_.get()));
  soup_server_disconnect(server_.get());
}

void LocalServer::listen() {
  const auto loopback = Ref<GInetAddress>::take(g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4));
  const auto any_port = Ref<GSocketAddress>::take(g_inet_socket_address_new(loopback.get(), 0));
  GSocketAddress* found = nullptr;
  GError* error = nullptr;
  if (!g_socket_listener_add_address(G_SOCKET_LISTENER(service_.get()), any_port.get(), G_SOCKET_TYPE_STREAM,
                                     G_SOCKET_PROTOCOL_TCP, nullptr, &found, &error)) {
    throw_error(error);
  }
  const auto address = Ref<GSocketAddress>::take(found);
  port_ = port_of(address.get());
  const auto incoming = [](GSocketService*, GSocketConnection* connection, GObject*, gpointer self) -> gboolean {
    static_cast<LocalServer*>(self)->accept(connection);
    return TRUE;
  };
  g_signal_connect(service_.get(), "incoming", G_CALLBACK(+incoming), this);
}

void LocalServer::accept(GSocketConnection* connection) {
  std::erase_if(sockets_, [](const Ref<GSocket>& socket) { return g_socket_is_closed(socket.get()) != FALSE; });
  if (sockets_.size() == kMostConnections) {
    g_socket_shutdown(sockets_.front().get(), TRUE, TRUE, nullptr);
    sockets_.pop_front();
  }
  sockets_.push_back(Ref<GSocket>::share(g_socket_connection_get_socket(connection)));
  const auto here = Ref<GSocketAddress>::take(g_socket_connection_get_local_address(connection, nullptr));
  const auto there = Ref<GSocketAddress>::take(g_socket_connection_get_remote_address(connection, nullptr));
  if (here && there)
    soup_server_accept_iostream(server_.get(), G_IO_STREAM(connection), here.get(), there.get(), nullptr);
}

std::string LocalServer::address(const std::string& name) const {
  const GlibString escaped{g_uri_escape_string(name.c_str(), "/", FALSE)};
  return fmt::format("http://127.0.0.1:{}{}{}", port_, prefix_, escaped.get());
}

/// Refuses other names: a web page can let its own name lead to this computer, and a browser then asks under that name.
bool LocalServer::was_asked_by_name(SoupServerMessage* message) const {
  GUri* const uri = soup_server_message_get_uri(message);  // of the request line, which may hold a whole URI
  const std::string host =
      text_of(soup_message_headers_get_one(soup_server_message_get_request_headers(message), "Host"));
  return (host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_)) &&
         host == fmt::format("{}:{}", text_of(g_uri_get_host(uri)), g_uri_get_port(uri));
}

Ref<GSocket> LocalServer::socket_of(SoupServerMessage* message) const {
  const int port = port_of(soup_server_message_get_remote_address(message));
  const auto found = std::ranges::find_if(sockets_, [&](const Ref<GSocket>& socket) {
    const auto peer = Ref<GSocketAddress>::take(g_socket_get_remote_address(socket.get(), nullptr));
    return peer && port_of(peer.get()) == port;
  });
  return found == sockets_.end() ? Ref<GSocket>{} : *found;
}

void LocalServer::answer(SoupServerMessage* message, const std::string& path) const {
  const auto refuse = [&](guint status) { soup_server_message_set_status(message, status, nullptr); };
  SoupMessageHeaders* const headers = soup_server_message_get_response_headers(message);
  const std::string_view method = soup_server_message_get_method(message);
  if (!was_asked_by_name(message)) return refuse(SOUP_STATUS_MISDIRECTED_REQUEST);
  if (!path.starts_with(prefix_)) return refuse(SOUP_STATUS_NOT_FOUND);
  if (method != "GET" && method != "HEAD") {
    soup_message_headers_replace(headers, "Allow", "GET, HEAD");
    return refuse(SOUP_STATUS_METHOD_NOT_ALLOWED);
  }
  auto file = ServedFile::open(folder_, path.substr(prefix_.size()));
  if (!file) return refuse(SOUP_STATUS_NOT_FOUND);
  soup_message_headers_replace(headers, "ETag", file->entity_tag().c_str());
  soup_message_headers_replace(headers, "Accept-Ranges", "bytes");

  SoupMessageHeaders* const asked = soup_server_message_get_request_headers(message);
  const char* const only_of = soup_message_headers_get_one(asked, "If-Range");
  const bool as_known = only_of == nullptr || only_of == file->entity_tag();
  const std::string range = text_of(soup_message_headers_get_list(asked, "Range"));
  soup_message_headers_remove(asked, "Range");  // or libsoup would answer each of thousands of ranges
  const auto part = as_known && method == "GET" ? asked_part(range, file->size()) : std::nullopt;
  if (part && part->begin == part->end) {
    soup_message_headers_replace(headers, "Content-Range", fmt::format("bytes */{}", file->size()).c_str());
    return refuse(SOUP_STATUS_REQUESTED_RANGE_NOT_SATISFIABLE);
  }
  const FilePart sent = part.value_or(FilePart{0, file->size()});
  if (part) soup_message_headers_set_content_range(headers, sent.begin, sent.end - 1, file->size());
  soup_message_headers_set_content_length(headers, sent.end - sent.begin);
  soup_server_message_set_status(message, part ? SOUP_STATUS_PARTIAL_CONTENT : SOUP_STATUS_OK, nullptr);
  if (method != "GET") return;
  Delivery::begin(message, std::make_unique<Delivery>(*std::move(file), sent, socket_of(message)));
}

}  // namespace tributary::play
