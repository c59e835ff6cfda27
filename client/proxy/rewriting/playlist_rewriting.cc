#include "proxy/rewriting/playlist_rewriting.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hls/lines/attribute_list.hh"
#include "hls/lines/playlist_limits.hh"
#include "hls/lines/playlist_values.hh"
#include "hls/playlist_reader.hh"
#include "manifests/manifest.hh"
#include "proxy/rewriting/rewriting_limits.hh"

namespace tributary::proxy {
namespace {

using hls::PlaylistLine;
using hls::StatedAttribute;

/// A copy of a text, in which parts are replaced from front to back.
class TextCopy {
 public:
  explicit TextCopy(std::string_view text) : text_{text} {}

  /// `part` is of the text, behind the one before.
  void replace(std::string_view part, std::string_view with) {
    const auto at = static_cast<std::size_t>(part.data() - text_.data());
    copy_ += text_.substr(copied_, at - copied_);
    copy_ += with;
    copied_ = at + part.size();
    if (copy_.size() > kMostRewrittenText) throw ManifestError{"its addresses become too long"};
  }
  std::string take() {
    copy_ += text_.substr(copied_);
    return std::move(copy_);
  }

 private:
  std::string_view text_;
  std::size_t copied_ = 0;
  std::string copy_;
};

/// What a tag names by its URI. Tags that are not listed here name others.
struct TagKind {
  std::string_view tag;
  FileKind kind;
};
constexpr std::array kTagKinds{
    TagKind{"EXT-X-KEY", FileKind::kKey},
    TagKind{"EXT-X-SESSION-KEY", FileKind::kKey},
    TagKind{"EXT-X-MEDIA", FileKind::kManifest},
    TagKind{"EXT-X-I-FRAME-STREAM-INF", FileKind::kManifest},
    TagKind{"EXT-X-IMAGE-STREAM-INF", FileKind::kManifest},
    TagKind{"EXT-X-RENDITION-REPORT", FileKind::kManifest},
    TagKind{"EXT-X-MAP", FileKind::kMedia},
    TagKind{"EXT-X-PART", FileKind::kMedia},
    TagKind{"EXT-X-PRELOAD-HINT", FileKind::kMedia},
};

FileKind kind_of(std::string_view tag) {
  const auto* const known = std::ranges::find(kTagKinds, tag, &TagKind::tag);
  return known == kTagKinds.end() ? FileKind::kOther : known->kind;
}

/// Whether an attribute of a line names an interstitial or the list of its assets, also one to fetch ahead.
bool names_interstitial(const PlaylistLine& line, std::string_view attribute) {
  if (attribute == "X-ASSET-URI" || attribute == "X-ASSET-LIST") return true;
  if (attribute != "X-URI" || line.tag != "EXT-X-DATERANGE") return false;
  return std::ranges::any_of(hls::stated_attributes(line.value), [](const StatedAttribute& other) {
    return other.name == "CLASS" && other.value == "com.apple.hls.preload";
  });
}

/// The line with its end, which `within` is a part of.
std::string_view whole_line(std::string_view text, std::string_view within) {
  const auto at = static_cast<std::size_t>(within.data() - text.data());
  const std::size_t before = text.find_last_of("\r\n", at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
  if (text.substr(end).starts_with("\r\n")) ++end;
  return text.substr(begin, std::min(end + 1, text.size()) - begin);
}

/// A value as it may stand in an attribute list: whatever would end it is percent-encoded.
std::string as_value(std::string_view text, bool quoted) {
  const std::string_view ends = quoted ? "\"\r\n" : ",\r\n";
  std::string value = quoted ? "\"" : "";
  for (const char c : text) {
    if (ends.find(c) != std::string_view::npos)
      value += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    else
      value += c;
  }
  if (quoted) value += '"';
  return value;
}

class PlaylistRewriting {
 public:
  PlaylistRewriting(std::string_view text, const Base& document, const PlaylistContext& context, NameWriter& writer)
      : text_{text},
        document_{document},
        context_{context},
        writer_{writer},
        copy_{text},
        variables_{context.outside} {}

  RewrittenPlaylist run() {
    const hls::PlaylistLines lines{text_};
    result_.multivariant = hls::playlist_kind(lines) == hls::PlaylistKind::kMultivariant;
    for (hls::PlaylistLines rest = lines; const auto line = rest.next();) {
      if (line->is_address())
        rewrite_address(*line);
      else
        rewrite_tag(*line);
    }
    result_.text = copy_.take();
    return std::move(result_);
  }

 private:
  void rewrite_address(const PlaylistLine& line) {
    const std::string name = variables_.substituted(line.value, line);
    if (name.empty()) line.refuse("the address is empty");
    const Announcement what{result_.multivariant ? FileKind::kManifest : context_.segments,
                            result_.multivariant ? ListPlace{} : ListPlace{.rendition = 0}};
    const std::string written = writer_.file(document_, name, what);
    if (written != line.value) copy_.replace(line.value, written);
  }

  void rewrite_tag(const PlaylistLine& line) {
    if (line.tag == "EXT-X-DEFINE") {
      variables_.define(line);
      copy_.replace(whole_line(text_, line.tag), "");
    } else if (line.tag == "EXT-X-CONTENT-STEERING") {
      copy_.replace(whole_line(text_, line.tag), "");
    } else if (line.tag == "EXT-X-ENDLIST") {
      result_.ended = true;
    } else if (line.tag.starts_with("EXT-X-")) {
      for (const StatedAttribute& attribute : hls::stated_attributes(line.value)) rewrite_attribute(line, attribute);
    }
  }

  void rewrite_attribute(const PlaylistLine& line, const StatedAttribute& attribute) {
    if (line.tag == "EXT-X-SKIP" && attribute.name == "SKIPPED-SEGMENTS")
      result_.skipped = static_cast<std::size_t>(
          std::min<std::uint64_t>(hls::whole_number(attribute.value).value_or(0), hls::kMaxSegments));
    const bool of_interstitial = names_interstitial(line, attribute.name);
    if (attribute.name == "URI" || of_interstitial) {
      const std::string name = variables_.substituted(attribute.value, line);
      if (name.empty()) return;
      const ListPlace place = kind_of(line.tag) == FileKind::kMedia ? ListPlace{.rendition = 0} : ListPlace{};
      const Announcement what = of_interstitial ? Announcement{.kind = FileKind::kManifest, .may_be_asset_list = true}
                                                : Announcement{.kind = kind_of(line.tag), .place = place};
      const std::string written = writer_.file(document_, name, what);
      if (written != attribute.value) copy_.replace(attribute.whole_value, as_value(written, true));
    } else if (attribute.value.find("{$") != std::string_view::npos) {
      const std::string value = value_of(attribute.value, line);
      if (value == attribute.value) return;
      copy_.replace(attribute.whole_value, as_value(value, attribute.quoted()));
    }
  }

  /// A tag that nobody knows may write "{$x}" for something else.
  std::string value_of(std::string_view value, const PlaylistLine& line) {
    try {
      return variables_.substituted(value, line);
    } catch (const hls::PlaylistError&) {
      return std::string{value};
    }
  }

  std::string_view text_;
  const Base& document_;
  const PlaylistContext& context_;
  NameWriter& writer_;
  TextCopy copy_;
  hls::VariableScope variables_;
  RewrittenPlaylist result_;
};

}  // namespace

RewrittenPlaylist rewrite_playlist(const std::string& text, const Base& document, const PlaylistContext& context,
                                   NameWriter& writer) {
  return PlaylistRewriting{text, document, context, writer}.run();
}

std::string without_skipped(const std::string& text, std::size_t skipped) {
  TextCopy copy{text};
  for (hls::PlaylistLines rest{text}; const auto line = rest.next();) {
    if (line->is_address()) continue;
    if (line->tag == "EXT-X-SKIP") copy.replace(whole_line(text, line->tag), "");
    if (line->tag != "EXT-X-MEDIA-SEQUENCE") continue;
    if (const auto first = hls::whole_number(line->value)) copy.replace(line->value, std::to_string(*first + skipped));
  }
  return copy.take();
}

std::string without_variants(const std::string& text, const std::set<std::size_t>& left_out) {
  TextCopy copy{text};
  std::size_t number = 0;
  bool is_left_out = false;  // the address that comes next
  for (hls::PlaylistLines rest{text}; const auto line = rest.next();) {
    if (line->is_address()) {
      if (std::exchange(is_left_out, false)) copy.replace(whole_line(text, line->value), "");
    } else if (line->tag == "EXT-X-STREAM-INF") {
      is_left_out = left_out.contains(number++);
      if (is_left_out) copy.replace(whole_line(text, line->tag), "");
    }
  }
  return copy.take();
}

}  // namespace tributary::proxy
