#include "segmenter/encoders/encoder_process.hh"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include <libavutil/imgutils.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "segmenter/encoders/message_channel.hh"
#include "segmenter/libav/fresh_memory.hh"

namespace tributary::segmenter {
namespace {

using nlohmann::json;

// To the encoder: its settings, and then a header for each picture and for the end, with the picture's planes after it.
// From the encoder, for each of them: an answer, or several, of which the last is kDone or kFailed.

struct PictureHeader {
  std::int64_t time = 0;
  AVPictureType type = AV_PICTURE_TYPE_NONE;
  bool is_end = false;
};

struct AnswerHeader {
  enum class Kind { kPacket, kOpened, kDone, kFailed };
  Kind kind = Kind::kDone;
  std::uint32_t size = 0;  // of the bytes that follow
  std::int64_t pts = 0, dts = 0;
  int flags = 0;
};

std::size_t picture_bytes(PictureSize size) {
  return static_cast<std::size_t>(check(av_image_get_buffer_size(AV_PIX_FMT_YUV420P, size.width, size.height, 1),
                                        ExitCode::kCodec, "a picture without a size"));
}

std::span<const std::byte> bytes_of(const std::vector<std::uint8_t>& bytes) { return std::as_bytes(std::span{bytes}); }

std::vector<std::uint8_t> packed(const AVCodecParameters& codec, int reordering) {
  const auto* const extra = codec.extradata;
  return json::to_cbor(
      {{"codec", codec.codec_id},
       {"profile", codec.profile},
       {"level", codec.level},
       {"size", {codec.width, codec.height}},
       {"pixelAspect", {codec.sample_aspect_ratio.num, codec.sample_aspect_ratio.den}},
       {"format", codec.format},
       {"rate", codec.bit_rate},
       {"delay", codec.video_delay},
       {"fields", codec.field_order},
       {"colors",
        {codec.color_range, codec.color_primaries, codec.color_trc, codec.color_space, codec.chroma_location}},
       {"extra", json::binary({extra, extra + codec.extradata_size})},
       {"reordering", reordering}});
}

ParametersHandle unpacked(const json& codec) {
  ParametersHandle parameters{avcodec_parameters_alloc()};
  if (!parameters) throw std::bad_alloc{};
  parameters->codec_type = AVMEDIA_TYPE_VIDEO;
  parameters->codec_id = codec.at("codec");
  parameters->profile = codec.at("profile");
  parameters->level = codec.at("level");
  parameters->width = codec.at("size").at(0);
  parameters->height = codec.at("size").at(1);
  parameters->sample_aspect_ratio = {codec.at("pixelAspect").at(0), codec.at("pixelAspect").at(1)};
  parameters->format = codec.at("format");
  parameters->bit_rate = codec.at("rate");
  parameters->video_delay = codec.at("delay");
  parameters->field_order = codec.at("fields");
  const json& colors = codec.at("colors");
  parameters->color_range = colors.at(0);
  parameters->color_primaries = colors.at(1);
  parameters->color_trc = colors.at(2);
  parameters->color_space = colors.at(3);
  parameters->chroma_location = colors.at(4);
  const auto& extra = codec.at("extra").get_binary();
  parameters->extradata = static_cast<std::uint8_t*>(av_mallocz(extra.size() + AV_INPUT_BUFFER_PADDING_SIZE));
  if (parameters->extradata == nullptr) throw std::bad_alloc{};
  std::copy(extra.begin(), extra.end(), parameters->extradata);
  parameters->extradata_size = static_cast<int>(extra.size());
  return parameters;
}

/// A process that ends by itself. The destructor waits for it.
class Child {
 public:
  explicit Child(pid_t id) : id_{id} {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { wait(); }

  /// The status with which the process ended; 0 if it was told before.
  int wait() {
    int status = 0;
    if (id_ < 0) return status;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
    id_ = -1;
    return status;
  }

 private:
  pid_t id_;
};

/// Starts this program with one end of the channel as standard input. The child blocks SIGINT and SIGTERM, because we
/// decide when it ends.
pid_t start(const MessageChannel& end) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, end.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, SIGINT);
  sigaddset(&ours, SIGTERM);
  posix_spawnattr_setsigmask(&attributes, &ours);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::string name = "tributary-segment", argument{kEncoderProcess};
  std::array<char*, 3> words{name.data(), argument.data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, "/proc/self/exe", &files, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0)
    throw Failure{ExitCode::kCodec, fmt::format("cannot start a process for an encoder: {}", std::strerror(error))};
  return pid;
}

class EncoderProcess : public PictureEncoder {
 public:
  explicit EncoderProcess(const EncoderSettings& settings) : EncoderProcess{settings, MessageChannel::connected()} {}

  void encode(const AVFrame* picture, const Use& use) override {
    PictureHeader header;
    header.is_end = picture == nullptr;
    if (picture != nullptr) {
      header.time = picture->pts;
      header.type = picture->pict_type;
      check(av_image_copy_to_buffer(planes_.data(), static_cast<int>(planes_.size()), picture->data, picture->linesize,
                                    AV_PIX_FMT_YUV420P, picture->width, picture->height, 1),
            ExitCode::kCodec, "cannot hand over a picture");
    }
    if (!channel_.send_value(header) || (picture != nullptr && !channel_.send(bytes_of(planes_)))) fail();
    for (AnswerHeader answer = next(); answer.kind != AnswerHeader::Kind::kDone; answer = next()) take(answer, use);
  }
  const AVCodecParameters& parameters() const override { return *parameters_; }
  int reordering() const override { return reordering_; }

 private:
  EncoderProcess(const EncoderSettings& settings, std::pair<MessageChannel, MessageChannel> ends)
      : name_{fmt::format("the encoder {} for quality {}", EncoderDialect{settings.encoding}.codec().name,
                          settings.quality)},
        planes_(picture_bytes(settings.size)),
        process_{start(ends.second)},
        channel_{std::move(ends.first)} {
    ends.second.close();
    const std::vector<std::uint8_t> text = json::to_cbor(to_json(settings));
    if (!channel_.send_value(text.size()) || !channel_.send(bytes_of(text))) fail();
    std::vector<std::uint8_t> opened(next().size);
    if (!channel_.receive(std::as_writable_bytes(std::span{opened}))) fail();
    const json codec = json::from_cbor(opened);
    parameters_ = unpacked(codec);
    reordering_ = codec.at("reordering");
  }

  /// The next answer. Throws the Failure that the encoder has thrown.
  AnswerHeader next() {
    AnswerHeader answer;
    if (!channel_.receive_value(answer)) fail();
    if (answer.kind != AnswerHeader::Kind::kFailed) return answer;
    std::string text(answer.size, '\0');
    if (!channel_.receive(std::as_writable_bytes(std::span{text}))) fail();
    throw Failure{ExitCode::kCodec, text};
  }

  void take(const AnswerHeader& answer, const Use& use) {
    const PacketHandle packet = make_packet();
    check(av_new_packet(packet.get(), static_cast<int>(answer.size)), ExitCode::kCodec, name_);
    if (!channel_.receive(std::as_writable_bytes(std::span{packet->data, answer.size}))) fail();
    packet->pts = answer.pts;
    packet->dts = answer.dts;
    packet->flags = answer.flags;
    use(*packet);
  }

  [[noreturn]] void fail() {
    channel_.close();
    const int status = process_.wait();
    const std::string why = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it has ended";
    throw Failure{ExitCode::kCodec, fmt::format("{} has failed: {}", name_, why)};
  }

  std::string name_;
  std::vector<std::uint8_t> planes_;
  Child process_;
  MessageChannel channel_;  // closed first: the process then writes its statistics and ends
  ParametersHandle parameters_;
  int reordering_ = 0;
};

/// The other end of the channel.
class EncoderServer {
 public:
  explicit EncoderServer(MessageChannel channel) : channel_{std::move(channel)} {}

  void run() {
    try {
      if (open()) encode();
    } catch (const Failure& failure) {
      answer({.kind = AnswerHeader::Kind::kFailed}, std::as_bytes(std::span{std::string_view{failure.what()}}));
    } catch (const std::bad_alloc&) {
      answer({.kind = AnswerHeader::Kind::kFailed}, std::as_bytes(std::span{std::string_view{"out of memory"}}));
    }
  }

 private:
  bool open() {
    std::size_t size = 0;
    if (!channel_.receive_value(size)) return false;
    std::vector<std::uint8_t> text(size);
    if (!channel_.receive(std::as_writable_bytes(std::span{text}))) return false;
    const EncoderSettings settings = encoder_settings_from(json::from_cbor(text));
    encoder_ = open_encoder_here(settings);
    planes_.resize(picture_bytes(settings.size));
    picture_->format = AV_PIX_FMT_YUV420P;
    picture_->width = settings.size.width;
    picture_->height = settings.size.height;
    check(av_image_fill_arrays(picture_->data, picture_->linesize, planes_.data(), AV_PIX_FMT_YUV420P, picture_->width,
                               picture_->height, 1),
          ExitCode::kCodec, "cannot take over a picture");
    return answer({.kind = AnswerHeader::Kind::kOpened},
                  bytes_of(packed(encoder_->parameters(), encoder_->reordering())));
  }

  void encode() {
    const auto pass_on = [this](const AVPacket& packet) {
      answer({AnswerHeader::Kind::kPacket, 0, packet.pts, packet.dts, packet.flags},
             std::as_bytes(std::span{packet.data, static_cast<std::size_t>(packet.size)}));
    };
    PictureHeader header;
    while (channel_.receive_value(header)) {
      if (!header.is_end && !channel_.receive(std::as_writable_bytes(std::span{planes_}))) return;
      picture_->pts = header.time;
      picture_->pict_type = header.type;
      encoder_->encode(header.is_end ? nullptr : picture_.get(), pass_on);
      answer({.kind = AnswerHeader::Kind::kDone}, {});
    }
  }

  /// False if the other end is closed; no picture comes from there then, either.
  bool answer(AnswerHeader header, std::span<const std::byte> bytes) {
    header.size = static_cast<std::uint32_t>(bytes.size());
    return channel_.send_value(header) && channel_.send(bytes);
  }

  MessageChannel channel_;
  std::unique_ptr<PictureEncoder> encoder_;
  std::vector<std::uint8_t> planes_;
  FrameHandle picture_ = make_frame();  // points into planes_, which libavcodec copies
};

}  // namespace

std::unique_ptr<PictureEncoder> open_encoder_process(const EncoderSettings& settings) {
  return std::make_unique<EncoderProcess>(settings);
}

int serve_encoder() {
  zero_allocated_memory();
  EncoderServer{MessageChannel{STDIN_FILENO}}.run();
  return 0;
}

}  // namespace tributary::segmenter
