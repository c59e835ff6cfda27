#include "proxy/requests/file_head.hh"

#include "proxy/requests/byte_ranges.hh"

namespace tributary::proxy {

namespace {

using Phase = IncomingFile::Phase;

constexpr unsigned kNotFromOrigin = 502;

std::string number(DataSize size) { return std::to_string(size.bytes()); }

FileHead without_body(unsigned status, Fields fields = {}) {
  fields.emplace_back("Content-Length", "0");
  return {.status = status, .fields = std::move(fields), .end = DataSize{}};
}

/// All that stands in `range` of the file.
FileHead with_body(unsigned status, ByteRange range, Fields fields = {}) {
  fields.emplace_back("Content-Length", number(range.size()));
  return {.status = status, .fields = std::move(fields), .begin = range.begin, .end = range.end};
}

/// `place`: of the range in what `whole` is the size of.
std::pair<std::string, std::string> content_range(ByteRange place, std::optional<DataSize> whole) {
  return {"Content-Range", "bytes " + number(place.begin) + "-" + number(place.end - DataSize{1}) + "/" +
                               (whole ? number(*whole) : "*")};
}

FileHead head_of_known(DataSize size, const FileQuestion& question) {
  const ByteRange all{DataSize{}, size};
  if (question.part) {
    if (all.empty()) return without_body(kNotFromOrigin);  // no Content-Range says "none"
    const DataSize begin = question.part->begin;
    return with_body(206, all, {content_range({begin, begin + size}, question.part->whole)});
  }
  const auto asked = question.range ? read_range(*question.range) : std::nullopt;
  if (!asked) return with_body(200, all);
  const std::optional<ByteRange> bytes = bytes_of(*asked, size);
  if (!bytes) return without_body(416, {{"Content-Range", "bytes */" + number(size)}});
  return with_body(206, *bytes, {content_range(*bytes, size)});
}

FileHead head_of_unknown(const FileQuestion& question) {
  // Whoever asks for bytes that are not made yet takes this for their last one (RFC 8673 section 2).
  constexpr std::int64_t kLastOfAll = 9'007'199'254'740'991;
  if (question.part)
    return {.status = 206,
            .fields = {content_range({question.part->begin, DataSize{kLastOfAll + 1}}, std::nullopt),
                       {"Transfer-Encoding", "chunked"}},
            .framing = Framing::kChunks};
  if (question.head_only) return {.end = DataSize{}};
  if (question.http_1_0) return {.framing = Framing::kClose};
  return {.fields = {{"Transfer-Encoding", "chunked"}}, .framing = Framing::kChunks};
}

/// Only a known size tells what they ask for.
bool asks_for_a_part(const FileQuestion& question) {
  if (question.part) return !question.part->open || question.head_only || question.http_1_0;
  const auto asked = question.range ? read_range(*question.range) : std::nullopt;
  return asked && !asked->is_from_the_start();
}

}  // namespace

std::optional<FileHead> file_head(const IncomingFile::Progress& progress, const FileQuestion& question) {
  if (progress.phase == Phase::kFailed) return without_body(progress.status >= 400 ? progress.status : kNotFromOrigin);
  if (progress.phase == Phase::kComplete) return head_of_known(*progress.size, question);
  if (!progress.begun && !(question.head_only && progress.size)) return {};
  if (progress.size) return head_of_known(*progress.size, question);
  if (asks_for_a_part(question)) return {};
  return head_of_unknown(question);
}

}  // namespace tributary::proxy
