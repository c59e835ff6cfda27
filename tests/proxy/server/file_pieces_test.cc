#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "running_server.hh"

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;

constexpr DataSize kWhole{300'000'000};

/// Each piece is there as soon as it is asked for. Its bytes tell their place.
class FakePieces : public FilePieces {
 public:
  explicit FakePieces(DataSize whole) : whole_{whole} {}

  std::optional<DataSize> size() const override {
    const std::lock_guard lock{mutex_};
    return known_;
  }
  void size_is(std::optional<DataSize> size) override {
    const std::lock_guard lock{mutex_};
    known_ = size;
  }
  std::shared_ptr<IncomingFile> front(DataSize at_most) override {
    return made({DataSize{}, std::min(at_most, whole_)}, at_most < whole_);
  }
  std::shared_ptr<IncomingFile> ahead(ByteRange piece) override { return made(piece, false); }
  void needed(const std::shared_ptr<IncomingFile>& /*piece*/) override {}

  static std::string content(ByteRange range) {
    std::string text(static_cast<std::size_t>(range.size().bytes()), '\0');
    for (std::size_t i = 0; i < text.size(); ++i)
      text[i] = static_cast<char>((static_cast<std::size_t>(range.begin.bytes()) + i) / 1000 % 251);
    return text;
  }
  std::size_t held() const {
    const std::lock_guard lock{mutex_};
    return static_cast<std::size_t>(std::ranges::count_if(pieces_, [](const auto& piece) { return !piece.expired(); }));
  }
  std::size_t most_held() const {
    const std::lock_guard lock{mutex_};
    return most_held_;
  }
  std::vector<ByteRange> asked() const {
    const std::lock_guard lock{mutex_};
    return asked_;
  }

 private:
  std::shared_ptr<IncomingFile> made(ByteRange range, bool is_front) {
    auto piece = std::make_shared<IncomingFile>();
    if (is_front) piece->is_front_of(whole_);
    piece->size_is(range.size());
    put(*piece, 0, content(range));
    piece->complete();
    const std::lock_guard lock{mutex_};
    asked_.push_back(range);
    pieces_.push_back(piece);
    most_held_ = std::max<std::size_t>(most_held_, static_cast<std::size_t>(std::ranges::count_if(
                                                       pieces_, [](const auto& each) { return !each.expired(); })));
    return piece;
  }

  const DataSize whole_;
  mutable std::mutex mutex_;
  std::optional<DataSize> known_;
  std::vector<std::weak_ptr<IncomingFile>> pieces_;
  std::vector<ByteRange> asked_;
  std::size_t most_held_ = 0;
};

class FilePiecesTest : public testing::Test {
 protected:
  void serve(DataSize whole) {
    pieces_ = std::make_shared<FakePieces>(whole);
    handler_.answer("/a", {.body = FileBody{.content_type = "video/mp4", .pieces = pieces_}});
  }

  TableHandler handler_;
  std::shared_ptr<FakePieces> pieces_;
};

TEST_F(FilePiecesTest, ALargeFileIsHeldInTwoPiecesAtATime) {
  serve(kWhole);
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send(server.request("GET", "/a", "Range: bytes=0-\r\n"));
  const Reply head = client.head();
  EXPECT_EQ(head.status, 206u);
  EXPECT_EQ(head.field("Content-Range"), "bytes 0-299999999/300000000");
  EXPECT_EQ(head.field("Content-Length"), "300000000");
  DataSize received;
  while (received < kWhole) {
    const auto some = client.some();
    ASSERT_TRUE(some);
    const ByteRange range{received, received + DataSize{std::ssize(*some)}};
    ASSERT_TRUE(*some == FakePieces::content(range)) << received.bytes();
    received = range.end;
  }
  EXPECT_LE(pieces_->most_held(), 3u);  // at the change from one to the next
  EXPECT_EQ(pieces_->asked().size(), 75u);
  EXPECT_TRUE(handler_.left_files().empty());
  EXPECT_TRUE(holds_soon([&] { return pieces_->held() == 0; }));
}

TEST_F(FilePiecesTest, APlayerThatDoesNotReadHoldsTheFetching) {
  serve(kWhole);
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send(server.request("GET", "/a"));
  EXPECT_EQ(client.head().status, 200u);
  std::this_thread::sleep_for(600ms);
  EXPECT_LE(pieces_->asked().size(), 4u);  // the socket takes some
  client.close();
  EXPECT_TRUE(handler_.waits_for_left(2));  // the piece that was being sent, and the next one
}

TEST_F(FilePiecesTest, OnlyWhatIsAskedForIsFetched) {
  serve(kWhole);
  const RunningServer server{handler_};
  const Reply reply = server.ask("GET", "/a", "Range: bytes=200000000-205999999\r\n");
  EXPECT_EQ(reply.field("Content-Range"), "bytes 200000000-205999999/300000000");
  EXPECT_TRUE(reply.body == FakePieces::content({DataSize{200'000'000}, DataSize{206'000'000}}));
  const std::vector<ByteRange> expected{{DataSize{}, DataSize{1}},
                                        {DataSize{200'000'000}, DataSize{204'000'000}},
                                        {DataSize{204'000'000}, DataSize{206'000'000}}};
  EXPECT_EQ(pieces_->asked(), expected);
  // The size is known now.
  const Reply last = server.ask("GET", "/a", "Range: bytes=-10\r\n");
  EXPECT_EQ(last.field("Content-Range"), "bytes 299999990-299999999/300000000");
  EXPECT_EQ(pieces_->asked().size(), 4u);
  const Reply head = server.ask("HEAD", "/a");
  EXPECT_EQ(head.field("Content-Length"), "300000000");
  EXPECT_EQ(pieces_->asked().size(), 4u);
}

TEST_F(FilePiecesTest, ARangeBehindTheEndHasNothing) {
  for (const std::int64_t whole : {300'000'000, 1000, 0}) {
    serve(DataSize{whole});
    const RunningServer server{handler_};
    const Reply reply = server.ask("GET", "/a", "Range: bytes=300000000-\r\n");
    EXPECT_EQ(reply.status, 416u);
    EXPECT_EQ(reply.field("Content-Range"), "bytes */" + std::to_string(whole));
  }
}

TEST_F(FilePiecesTest, AFileThatReachesLessFarIsSentToItsEnd) {
  for (const std::int64_t whole : {1'000, 4'000'000, 4'000'001}) {
    serve(DataSize{whole});
    const RunningServer server{handler_};
    for (const char* range : {"", "Range: bytes=0-9999999\r\n", "Range: bytes=500-9999999\r\n"}) {
      const Reply reply = server.ask("GET", "/a", range);
      const DataSize begin{std::string_view{range}.find("500") == std::string_view::npos ? 0 : 500};
      EXPECT_TRUE(reply.is_whole);
      EXPECT_TRUE(reply.body == FakePieces::content({begin, DataSize{whole}})) << whole << " " << range;
    }
  }
}

}  // namespace
}  // namespace tributary::proxy
