#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "system/file_descriptor.hh"
#include "units/session_clock.hh"

namespace tributary {

/// One conversation between a lab and a command: JSON objects, one a line; files may travel with them. Throws
/// std::system_error for errors of the system.
class ControlConnection {
 public:
  explicit ControlConnection(FileDescriptor socket) : socket_{std::move(socket)} {}

  int file_descriptor() const { return socket_.get(); }
  /// The caller keeps its files; the receiver gets copies.
  void send(const nlohmann::json& message, std::span<const int> files = {});
  /// Takes in arrived bytes; on a blocking socket, waits for them. False at the end of the conversation.
  bool read();
  /// The next whole message that was read; nothing: there is none.
  std::optional<nlohmann::json> take_message();
  /// The files that came with the messages since the last call.
  std::vector<FileDescriptor> take_files() { return std::exchange(files_, {}); }
  /// A descriptor of the process at the other end; it becomes readable when the process has ended.
  FileDescriptor open_peer_process() const;

 private:
  FileDescriptor socket_;
  std::string received_;
  std::vector<FileDescriptor> files_;
};

/// The socket at which commands find the lab of that name. The object owns the name; the destructor removes the socket.
class ControlListener {
 public:
  /// Throws std::runtime_error if the name is in use.
  explicit ControlListener(const std::string& lab_name);
  ControlListener(const ControlListener&) = delete;
  ControlListener& operator=(const ControlListener&) = delete;
  ~ControlListener();

  int file_descriptor() const { return socket_.get(); }
  /// The connection's socket is non-blocking.
  ControlConnection accept();

 private:
  std::filesystem::path path_;
  FileDescriptor socket_;
};

/// Nothing if there is no lab of that name. Throws std::invalid_argument if the text cannot be a name.
std::optional<ControlConnection> connect_to_lab(const std::string& lab_name);

/// Waits until the file is readable. False if it is not readable within `limit`; no limit: waits for ever.
bool wait_until_readable(int fd, std::optional<Duration> limit);

/// The names of the user's running labs, sorted.
std::vector<std::string> running_labs();

}  // namespace tributary
