#include "segmenter/libav/input_formats.hh"

extern "C" {
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
}

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>

namespace tributary::segmenter {
namespace {

constexpr std::string_view kMedia =
    "mov,mp4,matroska,webm,mpegts,mpeg,avi,asf,flv,live_flv,ogg,mxf,nut,rm,dv,gxf,lxf,wtv,nsv,nuv,pva,swf,smjpeg,ivf,"
    "h264,hevc,vvc,evc,h263,h261,m4v,mpegvideo,av1,obu,vc1,dirac,mjpeg,mjpeg_2000,mpjpeg,cavsvideo,avs2,avs3,dnxhd,"
    "yuv4mpegpipe,gif,apng,png_pipe,jpeg_pipe,webp_pipe,bmp_pipe,tiff_pipe,pgm_pipe,ppm_pipe,"
    "wav,w64,aiff,caf,au,mp3,aac,loas,latm,flac,ac3,ac4,eac3,dts,dtshd,truehd,mlp,amr,amrnb,amrwb,ape,wv,tta,tak,mpc,"
    "mpc8,oma,qcp,sox,voc,spdif,dsf,webvtt,srt,ass";

/// What leads to other files, by the end of its name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kByName{
    {{".m3u8", "hls"}, {".m3u", "hls"}, {".mpd", "dash"}, {".ffconcat", "concat"}, {".sdp", "sdp,rtp"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kByScheme{
    {{"rtp:", "rtp,sdp"}, {"rtsp:", "rtsp,rtp"}, {"rtsps:", "rtsp,rtp"}}};

bool ends_with(std::string_view name, std::string_view suffix) {
  return name.size() >= suffix.size() &&
         std::ranges::equal(name.substr(name.size() - suffix.size()), suffix,
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

}  // namespace

std::string formats_of(const std::string& input) {
  std::string formats{kMedia};
  const auto add = [&](std::string_view more) { formats.append(",").append(more); };
  std::error_code error;
  const bool is_file = std::filesystem::exists(input, error);
  const std::string_view name = is_file ? input : std::string_view{input}.substr(0, input.find_first_of("?#"));
  for (const auto& [suffix, format] : kByName) {
    if (ends_with(name, suffix)) add(format);
  }
  for (const auto& [scheme, format] : kByScheme) {
    if (!is_file && input.starts_with(scheme)) add(format);
  }
  if (!is_file && input.find('%') != std::string::npos)
    add("image2");  // pictures: no file has the name of their pattern
  return formats;
}

std::string refused_format(const std::string& path, const std::string& formats) {
  AVIOContext* bytes = nullptr;
  if (avio_open(&bytes, ("file:" + path).c_str(), AVIO_FLAG_READ) < 0) return "";
  const AVInputFormat* format = nullptr;
  const int found = av_probe_input_buffer2(bytes, &format, path.c_str(), nullptr, 0, 0);
  avio_closep(&bytes);
  if (found < 0 || format == nullptr || av_match_list(format->name, formats.c_str(), ',') > 0) return "";
  return format->name;
}

}  // namespace tributary::segmenter
