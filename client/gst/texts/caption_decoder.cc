#include "gst/texts/caption_decoder.hh"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
}

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#include "cues/markup.hh"
#include "demux/libav.hh"

namespace tributary {
namespace {

constexpr int kFieldsOfAss = 8;  // in front of the text, as libavcodec writes them

struct SubtitleFree {
  void operator()(AVSubtitle* subtitle) const { avsubtitle_free(subtitle); }
};

/// "\\i1" and its like, without the backslash.
void apply(std::string_view tag, Markup& markup) {
  if (tag.size() != 2 || (tag[1] != '0' && tag[1] != '1')) return;
  if (tag[0] != 'b' && tag[0] != 'i' && tag[0] != 'u') return;
  const std::string_view name = tag.substr(0, 1);
  markup.close(name);
  if (tag[1] == '1') markup.open(name, name);
}

/// Of braces: "\\an7\\i1".
void apply_all(std::string_view tags, Markup& markup) {
  while (!tags.empty()) {
    const std::size_t end = std::min(tags.find('\\'), tags.size());
    apply(tags.substr(0, end), markup);
    tags.remove_prefix(std::min(end + 1, tags.size()));
  }
}

}  // namespace

std::string markup_of_ass(std::string_view line) {
  for (int i = 0; i < kFieldsOfAss; ++i) {
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) return "";
    line.remove_prefix(comma + 1);
  }
  Markup markup;
  while (!line.empty()) {
    const std::size_t plain = std::min(line.find_first_of("{\\"), line.size());
    markup.add(line.substr(0, plain));
    line.remove_prefix(plain);
    if (line.empty()) break;
    if (line.front() == '{') {
      const std::size_t end = std::min(line.find('}'), line.size() - 1);
      apply_all(line.substr(1, end - 1), markup);
      line.remove_prefix(end + 1);
    } else {
      const char escape = line.size() > 1 ? line[1] : '\\';
      markup.add(escape == 'N' || escape == 'n' ? "\n" : escape == 'h' ? " " : line.substr(0, 1));
      line.remove_prefix(escape == 'N' || escape == 'n' || escape == 'h' ? 2 : 1);
    }
  }
  return markup.take();
}

void CaptionDecoder::Free::operator()(AVCodecContext* context) const { avcodec_free_context(&context); }

CaptionDecoder::~CaptionDecoder() = default;

CaptionDecoder::CaptionDecoder(CaptionField field) {
  const AVCodec* const codec = avcodec_find_decoder(AV_CODEC_ID_EIA_608);
  if (codec == nullptr) return;
  context_.reset(avcodec_alloc_context3(codec));
  if (!context_) throw std::bad_alloc{};
  context_->pkt_timebase = {1, AV_TIME_BASE};
  // Each text when it appears, and not when it has ended.
  av_opt_set(context_->priv_data, "real_time", "1", 0);
  av_opt_set(context_->priv_data, "data_field", field == CaptionField::kFirst ? "first" : "second", 0);
  if (avcodec_open2(context_.get(), codec, nullptr) < 0) context_.reset();
}

std::optional<std::string> CaptionDecoder::take(Duration time, std::span<const std::byte> data) {
  if (!works() || data.empty()) return std::nullopt;
  const PacketHandle packet = make_packet();
  if (av_new_packet(packet.get(), static_cast<int>(data.size())) < 0) throw std::bad_alloc{};
  std::memcpy(packet->data, data.data(), data.size());
  packet->pts = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  AVSubtitle decoded{};
  const std::unique_ptr<AVSubtitle, SubtitleFree> freed{&decoded};
  int told = 0;
  if (avcodec_decode_subtitle2(context_.get(), &decoded, &told, packet.get()) < 0 || told == 0) return std::nullopt;
  std::optional<std::string> text;
  for (unsigned i = 0; i < decoded.num_rects; ++i) {
    if (decoded.rects[i]->ass != nullptr) text = markup_of_ass(decoded.rects[i]->ass);
  }
  return text;
}

}  // namespace tributary
