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

/// What an answer says about which version of its file it is of.
struct FileVersion {
  std::string etag, last_modified;  // as the origin wrote them
  std::optional<DataSize> size;     // of the whole file
  std::string coding{};             // Content-Encoding; empty for the object's own form

  bool operator==(const FileVersion&) const = default;
};

/// As the head of a good answer tells it.
FileVersion version_of(const ResponseHead& head);

/// Remembers which version of each file came over which link, so that bytes of two are never put together: the file was
/// replaced, or two servers behind the origin's name do not hold the same one.
///   the same strong ETag and size                  the same version
///   another size or Content-Encoding               another version
///   another Last-Modified                          another version
///   another ETag over the same link                another version
///   another ETag over another link                 another version, unless the file was modified in the same second
///                                                  and is as large: two servers make their tags in different ways
/// Weak and strong ETags are compared without the mark of the weak ones (RFC 9110 section 8.8.3.2). What only one of two
/// answers has says nothing. Of very many targets the oldest are forgotten: a live session may last for days. Copies
/// share what they know.
class FileVersions {
 public:
  static constexpr std::size_t kTargets = 4096;

  FileVersions() : seen_{std::make_shared<Seen>()} {}
  /// The same, of answers over this link.
  FileVersions over(std::string link) const;

  /// What an earlier answer for the target had that this one has not; nothing if the two can be put together.
  std::optional<std::string> contradiction(const std::string& target, const FileVersion& version);
  /// What came over this link is of the version with this strong ETag; empty if that cannot be said. For If-Range.
  std::string strong_tag(const std::string& target) const;
  /// This answer is put together with none of the earlier ones; later ones will be with it.
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
  /// What an answer has that the other one had not.
  std::optional<std::string> difference(const FileVersion& now, const Answer& then) const;

  std::shared_ptr<Seen> seen_;
  std::string link_;
};

/// Equal strong ETags mean equal bytes (RFC 9110 section 8.8.3).
bool is_strong(std::string_view etag);
/// Both are there, and differ otherwise than by being weak.
bool are_other_tags(std::string_view a, std::string_view b);

}  // namespace tributary::transport
