#include <gtest/gtest.h>

#include <fmt/format.h>

#include "http/test_site.hpp"

// Streams from the handler on the server to whoever reads them behind the client.
namespace godwit::http {
namespace {

Request watch(std::string target = "/watch") {
  Request request = get(std::move(target));
  request.headers[std::string(kStreamHeader)] = "true";
  return request;
}

std::function<Response(const Request&)> pouringFrom(Tap& tap) {
  return [&tap](const Request& request) {
    Response response;
    if (request.target == "/watch") response.stream = tap.open();
    if (request.target == "/missing") response.status = 404;
    response.body = response.stream ? "" : "plain";
    return response;
  };
}

Reader open(Client& client) {
  Result<Response> response = client.send(watch());
  EXPECT_TRUE(response && response->stream);
  return Reader(std::move(response->stream));
}

TEST(Stream, DeliversEachChunkAsItHappens) {
  Tap tap;
  Site site(pouringFrom(tap));
  const auto client = site.client();
  Reader reader = open(*client);

  for (const std::string event : {"one\n", "two\n", "three\n"}) {
    tap.pour(event);
    EXPECT_EQ(reader.read(event.size()), event);
  }
}

TEST(Stream, DeliversWhatWasReadyBefore) {
  Tap tap;
  tap.pour("one\n");
  tap.pour("two\n");
  Site site(pouringFrom(tap));
  const auto client = site.client();

  EXPECT_EQ(open(*client).read(8), "one\ntwo\n");
}

TEST(Stream, EndsWhenTheServerEndsIt) {
  Tap tap;
  Site site(pouringFrom(tap));
  const auto client = site.client();
  Reader reader = open(*client);

  tap.pour("last words");
  tap.end();

  EXPECT_EQ(reader.readToTheEnd(), "last words");
  EXPECT_TRUE(reader.ended());
  EXPECT_TRUE(tap.waitUntilClosed());
}

TEST(Stream, IsDestroyedOnTheServerWhenTheClientGoes) {
  Tap tap;
  Site site(pouringFrom(tap));
  const auto client = site.client();
  Reader reader = open(*client);
  tap.pour("x");
  reader.read(1);

  reader.close();

  EXPECT_TRUE(tap.waitUntilClosed());
  EXPECT_EQ(client->send(get("/"))->body, "plain");
}

TEST(Stream, MayBecomeReadyAfterEverybodyHasGone) {
  Tap tap;
  {
    Site site(pouringFrom(tap));
    const auto client = site.client();
    Reader reader = open(*client);
    tap.pour("x");
    reader.read(1);
  }
  ASSERT_TRUE(tap.waitUntilClosed());

  tap.pour("nobody hears this");
}

TEST(Stream, EndsWhenTheServerStops) {
  Tap first;
  Tap second;
  Site site([&](const Request& request) {
    Response response;
    response.stream = request.target == "/first" ? first.open() : second.open();
    return response;
  });
  const auto client = site.client();
  Reader one(std::move(client->send(watch("/first"))->stream));
  Reader two(std::move(client->send(watch("/second"))->stream));

  site.stop();

  EXPECT_EQ(one.readToTheEnd(), "");
  EXPECT_EQ(two.readToTheEnd(), "");
  EXPECT_TRUE(one.ended() && two.ended());
}

TEST(Stream, EndsWithItsClient) {
  Tap tap;
  Site site(pouringFrom(tap));
  auto client = site.client();
  Reader reader = open(*client);

  client.reset();

  EXPECT_EQ(reader.readToTheEnd(), "");
  EXPECT_TRUE(reader.ended());
  EXPECT_TRUE(tap.waitUntilClosed());
}

TEST(Stream, LosesNothingWhenTheReaderIsSlow) {
  Tap tap;
  Site site(pouringFrom(tap));
  const auto client = site.client();
  Reader reader = open(*client);
  const std::string block(1 << 20, 'x');
  for (int i = 0; i < 32; ++i) tap.pour(block);
  tap.end();

  EXPECT_EQ(reader.readToTheEnd().size(), 32u << 20);
}

TEST(Stream, ComesOnlyWithSuccess) {
  Tap tap;
  Site site(pouringFrom(tap));

  const Response response = site.client()->send(watch("/missing")).value();

  EXPECT_EQ(response.status, 404);
  EXPECT_FALSE(response.stream);
  EXPECT_EQ(response.body, "plain");
}

TEST(Stream, ReachesAClientThatDidNotAskForOneAsABody) {
  Tap tap;
  tap.pour("one ");
  tap.pour("two");
  tap.end();
  Site site(pouringFrom(tap));
  const auto client = site.client();

  EXPECT_EQ(client->send(get("/watch"))->body, "one two");
  EXPECT_EQ(client->send(get("/"))->body, "plain");
}

TEST(Stream, ServesManyReadersAtOnce) {
  constexpr int kReaders = 16;
  std::vector<Tap> taps(kReaders);
  Site site([&](const Request& request) {
    Response response;
    response.stream = taps.at(static_cast<std::size_t>(std::stoi(request.target.substr(1)))).open();
    return response;
  });
  const auto client = site.client();
  std::vector<Reader> readers;
  for (int i = 0; i < kReaders; ++i)
    readers.emplace_back(std::move(client->send(watch(fmt::format("/{}", i)))->stream));

  std::jthread writer([&] {
    for (int round = 0; round < 100; ++round)
      for (Tap& tap : taps) tap.pour(std::to_string(round) + "\n");
    for (Tap& tap : taps) tap.end();
  });

  for (Reader& reader : readers) EXPECT_TRUE(reader.readToTheEnd().ends_with("\n98\n99\n"));
}

}  // namespace
}  // namespace godwit::http
