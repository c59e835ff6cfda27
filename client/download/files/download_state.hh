#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "download/files/chunk_plan.hh"
#include "transport/documents/object_fetch.hh"

namespace tributary {

/// The content of FILE.part.json: the object that FILE.part will be, and the bytes of it that are there.
struct DownloadState {
  std::string url;  // that was asked for
  DataSize size;
  std::string etag, last_modified;  // as the origin wrote them; empty if it did not
  ByteSet complete;

  bool operator==(const DownloadState&) const = default;
};

std::string to_json(const DownloadState& state);
/// Throws JsonError that names the place; ranges out of order or beyond the end are refused.
DownloadState state_from_json(std::string_view text);

/// Why the bytes on the disk do not belong to the origin's object of now; nothing if they do. Without the same strong
/// ETag, the time of the last change and the URL must be the same: the one that was asked for, or the one that it led to.
std::optional<std::string> why_not_continued(const DownloadState& state, const transport::ObjectHead& now,
                                             const std::string& asked);
/// The object is continued although its ETag is another one: servers with copies of a file make their tags in different
/// ways.
bool has_another_tag(const DownloadState& state, const transport::ObjectHead& now);

}  // namespace tributary
