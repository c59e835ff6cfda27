#pragma once

#include <optional>
#include <string>

#include "proxy/files/incoming_file.hh"
#include "proxy/requests/exchange.hh"

namespace tributary::proxy {

/// How a player asks for a file.
struct FileQuestion {
  bool head_only = false;
  bool http_1_0 = false;                  // it knows no chunks
  std::optional<std::string> range = {};  // the value of Range, if it is to be looked at
  std::optional<FilePart> part = {};      // of FileBody
};

/// How the end of a body is told.
enum class Framing {
  kLength,  // by its size; also without a body
  kChunks,
  kClose,  // it ends with the connection
};

/// The head of the answer, and which bytes of the file follow it.
struct FileHead {
  unsigned status = 200;
  Fields fields = {};
  Framing framing = Framing::kLength;
  DataSize begin = {};
  std::optional<DataSize> end = {};  // nothing: where the file ends, which nobody knows yet

  bool has_body() const { return end != begin; }
};

/// The head as soon as it can be told: the size is known, and bytes have come from some origin. Before that the file may
/// still fail, and its status is the answer. Bytes without a size go on in chunks. Nothing: more must be known.
std::optional<FileHead> file_head(const IncomingFile::Progress& progress, const FileQuestion& question);

}  // namespace tributary::proxy
