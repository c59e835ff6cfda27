#pragma once

#include <memory>
#include <vector>

#include "links/interfaces/link_monitor.hh"
#include "system/file_descriptor.hh"

namespace tributary {

/// Several monitors behind one file descriptor. Their links have different names.
class MergedLinks final : public LinkMonitor {
 public:
  /// Throws std::system_error if the system gives no descriptor.
  explicit MergedLinks(std::vector<std::unique_ptr<LinkMonitor>> monitors);

  int file_descriptor() const override { return any_.get(); }
  std::vector<LinkChangeNotice> poll() override;
  std::vector<LinkChangeNotice> obstructed() const override;
  bool is_waiting() const override;

 private:
  std::vector<std::unique_ptr<LinkMonitor>> monitors_;
  FileDescriptor any_;  // epoll: readable if one of them is
};

}  // namespace tributary
