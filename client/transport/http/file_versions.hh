#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "transport/http/response_parser.hh"
#include "units/data_size.hh"

namespace tributary::transport {

/// The statements of an answer about the version of its file.
struct FileVersion {
  std::string etag, last_modified;  // as the origin wrote them
  std::optional<DataSize> size;     // of the whole file
  std::string coding{};             // Content-Encoding; empty for the object's own form

  bool operator==(const FileVersion&) const = default;
};

/// Reads the statements from the head of a good answer.
FileVersion version_of(const ResponseHead& head);

/// Remembers which version of each file came over which link, so that bytes of two versions are never put together.
/// Versions differ if the file was replaced, or if two servers behind the origin's name hold different files.
///   the same strong ETag and size                  the same version
///   another size or Content-Encoding               another version
///   another Last-Modified                          another version
///   another ETag over the same link                another version
///   another ETag over another link                 another version, unless the file was modified in the same second
///                                                  and is as large: two servers make their tags in different ways
/// Weak and strong ETags are compared without the mark of the weak ones (RFC 9110 section 8.8.3.2). A statement that
/// only one of two answers makes does not count. Beyond kTargets targets the oldest are forgotten: a live session may
/// last for days. Copies share their knowledge.
class FileVersions {
 public:
  static constexpr std::size_t kTargets = 4096;

  FileVersions() : seen_{std::make_shared<Seen>()} {}
  /// A copy for answers over this link.
  FileVersions over(std::string link) const;

  /// Compares the version with earlier answers for the target. Returns a contradiction in words; nothing if their bytes
  /// can be put together.
  std::optional<std::string> contradiction(const std::string& target, const FileVersion& version);
  /// The strong ETag of the bytes that came over this link, for If-Range; empty if none is known.
  std::string strong_tag(const std::string& target) const;
  /// Forgets earlier answers for the target: later ones are compared with this version.
  void begin_anew(const std::string& target, const FileVersion& version);

 private:
  struct Answer {
    std::string link;
    FileVersion version;
  };
  struct Seen {
    std::unordered_map<std::string, std::vector<Answer>> answers;  // by target; one for each link
    std::deque<std::string> order;                                 // of the targets
  };
  std::vector<Answer>& answers_for(const std::string& target);
  /// The first statement in which the two versions differ, in words; nothing: there is none.
  std::optional<std::string> difference(const FileVersion& now, const Answer& then) const;

  std::shared_ptr<Seen> seen_;
  std::string link_;
};

/// Equal strong ETags mean equal bytes (RFC 9110 section 8.8.3).
bool is_strong(std::string_view etag);
/// Both are present, and they differ in more than the mark of weak ones.
bool are_other_tags(std::string_view a, std::string_view b);

}  // namespace tributary::transport
