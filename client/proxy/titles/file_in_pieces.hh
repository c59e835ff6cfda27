#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "proxy/requests/exchange.hh"
#include "proxy/titles/media_store.hh"

namespace tributary::proxy {

/// A file that is no segment, or a long one, in pieces out of a store.
class FileInPieces : public FilePieces {
 public:
  /// `due_in`: of what the player waits for.
  FileInPieces(std::shared_ptr<MediaStore> store, std::string url, Duration due_in)
      : store_{std::move(store)}, url_{std::move(url)}, due_in_{due_in} {}

  std::optional<DataSize> size() const override { return store_->size(url_); }
  void size_is(std::optional<DataSize> size) override { store_->size_is(url_, size); }
  std::shared_ptr<IncomingFile> front(DataSize at_most) override {
    return store_->read({.url = url_, .estimate = std::min(at_most, kFirst), .at_most = at_most, .due_in = due_in_});
  }
  std::shared_ptr<IncomingFile> ahead(ByteRange piece) override {
    return store_->read({.url = url_, .range = piece, .due_in = std::nullopt});
  }
  void needed(const std::shared_ptr<IncomingFile>& piece) override { store_->due(piece, due_in_); }

 private:
  static constexpr DataSize kFirst{200'000};  // of a file that may be small

  const std::shared_ptr<MediaStore> store_;
  const std::string url_;
  const Duration due_in_;
};

}  // namespace tributary::proxy
