#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "units/data_size.hh"

namespace tributary::transport {

/// What an answer says about which version of its file it is of.
struct FileVersion {
  std::string etag, last_modified;  // as the origin wrote them
  std::optional<DataSize> size;     // of the whole file
};

/// Remembers which version of each file came over which link, so that bytes of two are never put together: the file was
/// replaced, or two servers behind the origin's name do not hold the same one. (If-Range would turn that into the whole file.)
///   another size                                   another version
///   another strong ETag over the same link         another version
///   another strong ETag over another link          another version, unless the file was modified in the same second and
///                                                  is as large: then two servers make their tags in different ways
/// Weak and absent tags say nothing. Of very many targets the oldest are forgotten: a live session may last for days.
/// Copies share what they know.
class FileVersions {
 public:
  static constexpr std::size_t kTargets = 4096;

  FileVersions() : seen_{std::make_shared<Seen>()} {}
  /// The same, of answers over this link.
  FileVersions over(std::string link) const;

  /// What an earlier answer for the target had that this one has not; nothing if the two can be put together.
  std::optional<std::string> contradiction(const std::string& target, const FileVersion& version);
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

  std::shared_ptr<Seen> seen_;
  std::string link_;
};

/// Equal strong ETags mean equal bytes (RFC 9110 section 8.8.3).
bool is_strong(std::string_view etag);

}  // namespace tributary::transport
