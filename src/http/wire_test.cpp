#include "http/wire.hpp"

#include <gtest/gtest.h>

namespace godwit::http {
namespace {

Chunk chunk(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

TEST(Wire, FramesAResponseByItself) {
  Response response{.headers = {{"content-length", "999"}, {"x-a", "1"}}, .body = "hi"};

  EXPECT_EQ(render(response, {}), "HTTP/1.1 200 OK\r\nx-a: 1\r\ncontent-length: 2\r\n\r\nhi");
}

TEST(Wire, LeavesOutTheBodyWhereThereCanBeNone) {
  EXPECT_EQ(render(Response{.status = 204, .body = "x"}, {}), "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(render(Response{.body = "hi"}, {.keepAlive = false, .withBody = false}),
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n");
}

TEST(Wire, SaysHowLongTheBodyOfARequestIs) {
  EXPECT_EQ(render(Request{.target = "/x"}, "h:1"), "GET /x HTTP/1.1\r\nhost: h:1\r\n\r\n");
  EXPECT_EQ(render(Request{.method = "POST", .target = "/x"}, "h:1"),
            "POST /x HTTP/1.1\r\nhost: h:1\r\ncontent-length: 0\r\n\r\n");
}

TEST(Wire, BatchesWhatWasTakenIntoOneChunk) {
  EXPECT_EQ(renderChunk({.chunks = {chunk("0123456789"), chunk("abcdef")}, .ended = false}),
            "10\r\n0123456789abcdef\r\n");
  EXPECT_EQ(renderChunk({.chunks = {chunk("x")}, .ended = true}), "1\r\nx\r\n0\r\n\r\n");
}

TEST(Wire, DoesNotMistakeAnEmptyChunkForTheEnd) { EXPECT_EQ(renderChunk({.chunks = {chunk("")}, .ended = false}), ""); }

}  // namespace
}  // namespace godwit::http
