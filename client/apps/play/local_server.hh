#pragma once

#include <libsoup/soup.h>

#include <string>

#include "apps/play/g_handles.hh"

namespace tributary::play {

/// A web server for one folder of this computer, reachable from this computer alone and only by those who were told the
/// address: it has a secret in it. So a presentation that lies here is played like any other. Lives in the default main
/// context.
class LocalServer {
 public:
  /// Throws std::runtime_error.
  explicit LocalServer(std::string folder);
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;
  ~LocalServer();

  /// Of a file in the folder.
  std::string address(const std::string& name) const;
  const std::string& folder() const { return folder_; }

 private:
  void answer(SoupServerMessage* message, const char* path) const;

  std::string folder_, prefix_;  // "/9f86d081…/"
  Ref<SoupServer> server_;
};

}  // namespace tributary::play
