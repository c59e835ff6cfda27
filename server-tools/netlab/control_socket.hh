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

/// One conversation between a lab and a command: JSON objects, one a line; files may travel with them. Errors
/// of the system are thrown as std::system_error.
class ControlConnection {
 public:
  explicit ControlConnection(FileDescriptor socket) : socket_{std::move(socket)} {}

  int file_descriptor() const { return socket_.get(); }
  /// The files stay the caller's, the receiver gets copies.
  void send(const nlohmann::json& message, std::span<const int> files = {});
  /// Takes in what has arrived, and waits for it if the socket does. False at the end of the conversation.
  bool read();
  /// The next whole message of what was read.
  std::optional<nlohmann::json> take_message();
  /// The files that came with what was read.
  std::vector<FileDescriptor> take_files() { return std::exchange(files_, {}); }
  /// The process at the other end; readable when it has ended.
  FileDescriptor open_peer_process() const;

 private:
  FileDescriptor socket_;
  std::string received_;
  std::vector<FileDescriptor> files_;
};

/// The place where commands find the lab of that name. Holding it is owning the name; it vanishes with this
/// object.
class ControlListener {
 public:
  /// Throws std::runtime_error when the name is in use.
  explicit ControlListener(const std::string& lab_name);
  ControlListener(const ControlListener&) = delete;
  ControlListener& operator=(const ControlListener&) = delete;
  ~ControlListener();

  int file_descriptor() const { return socket_.get(); }
  /// The socket of the connection does not wait.
  ControlConnection accept();

 private:
  std::filesystem::path path_;
  FileDescriptor socket_;
};

/// Nothing when there is no lab of that name. Throws std::invalid_argument for what cannot be a name.
std::optional<ControlConnection> connect_to_lab(const std::string& lab_name);

/// Waits until the file is readable. False when it was not in this time (nothing: for ever).
bool wait_until_readable(int fd, std::optional<Duration> limit);

/// The names of the user's labs that are up, sorted.
std::vector<std::string> running_labs();

}  // namespace tributary
