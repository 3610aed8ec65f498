#include "node/endpoint.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/scratch_directory_test.hpp"
#include "base/time_format.hpp"
#include "http/test_site.hpp"
#include "kinds/words.hpp"

namespace godwit::node {
namespace {

using logs::Log;
using logs::PodLogs;

// One importer for all pods, which listens where a test has an inlet.
class OneImporter final : public Importers {
 public:
  explicit OneImporter(std::string directory) : directory_(std::move(directory)) {}

  Result<State> state(const std::string&) override { return now; }
  Result<> giveOrders(const importer::Orders&) override { return {}; }
  Result<> start(const std::string&) override { return {}; }
  Result<> cancel(const std::string&) override { return {}; }
  Result<importer::Sender> reach(const std::string&, std::int64_t bytes) override {
    return importer::Sender::reach(directory_, bytes);
  }
  Result<> forget(const std::string&) override { return {}; }
  void whenChanged(std::function<void(const std::string&)>) override {}

  State now;

 private:
  const std::string directory_;
};

const std::string kApp(kinds::words::kApp);

// A pod "guest" whose console says "one\ntwo\nthree\n", and a mover's pod "move" whose log has times.
class NodeAnswers : public testing::Test {
 protected:
  NodeAnswers() {
    add("guest", "compute", kinds::words::kAppLauncher);
    add("move", "mover", kinds::words::kAppMigration);
    write("guest", "one\ntwo\nthree\n");
    write("move", "2001-01-01T00:00:00Z begins\n2033-01-01T00:00:00Z ends\n");
    const auto logOf = [this](const kinds::Pod& pod) -> Result<Log> {
      return Log{.file = directory.file(pod.metadata.name), .begin = 0, .timed = pod.metadata.name == "move"};
    };
    logs->add(kinds::words::kAppLauncher, logOf);
    logs->add(kinds::words::kAppMigration, logOf);
  }

  void add(const std::string& name, const std::string& container, std::string_view app) {
    kinds::Pod pod;
    pod.metadata.name = name;
    pod.metadata.uid = name + "-1";
    pod.metadata.labels[kApp] = app;
    pod.spec.containers = {{.name = container, .image = "", .resources = {}}};
    pod.status.phase = kinds::pod_phase::kRunning;
    pods[name] = std::make_shared<const kinds::Pod>(pod);
  }

  template <class Change>
  void change(const std::string& name, Change change) {
    kinds::Pod pod = *pods.at(name);
    change(pod);
    {
      const Lock lock(mutex);
      pods[name] = std::make_shared<const kinds::Pod>(pod);
    }
    logs->podChanged({"default", name});
  }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(directory.file(name), std::ios::app) << text;
  }

  http::Response ask(const std::string& target,
                     std::optional<http::PeerCertificate> peer = http::PeerCertificate{"api", {"system:masters"}}) {
    http::Request request = http::get(target);
    request.peer = std::move(peer);
    return endpoint.handle(request);
  }
  http::Response guest(const std::string& query) { return ask("/containerLogs/default/guest/compute" + query); }
  http::Reader follow(const std::string& query = "?follow=true") { return http::Reader(guest(query).stream); }
  std::string read(const std::string& query) { return http::Reader(guest(query).stream).readToTheEnd(); }

  // What comes when `act` is done while somebody waits. A change may be told of in several parts.
  static std::string afterSilence(http::Stream& stream, const std::function<void()>& act) {
    http::Stream::Taken taken = stream.take();
    while (!taken.chunks.empty()) taken = stream.take();
    for (bool acted = false; taken.chunks.empty(); acted = true) {
      const auto woken = std::make_shared<std::promise<void>>();
      stream.whenReady([woken] { woken->set_value(); });
      if (!acted) act();
      if (woken->get_future().wait_for(http::kForever) != std::future_status::ready) return "nothing";
      taken = stream.take();
    }
    return *taken.chunks.front();
  }

  ScratchDirectory directory;
  Mutex mutex;
  std::map<std::string, std::shared_ptr<const kinds::Pod>> pods;
  std::unique_ptr<PodLogs> logs = PodLogs::open([this](const object::Key& key) {
                                    const Lock lock(mutex);
                                    const auto found = pods.find(key.name);
                                    return found == pods.end() ? nullptr : found->second;
                                  }).value();
  SystemClock clock;
  OneImporter importer{directory.path()};
  Uploads uploads{[this](const object::Key& key) {
                    const auto found = pods.find(key.name);
                    return found == pods.end() ? nullptr : found->second;
                  },
                  importer};
  Endpoint endpoint{*logs, uploads, clock};
};

class NodeTakesAnUpload : public NodeAnswers {
 protected:
  http::Response upload(const std::string& target, http::Tap& tap) {
    http::Request request{.method = "POST", .target = target, .stream = std::shared_ptr<http::Stream>(tap.open())};
    request.peer = http::PeerCertificate{"api", {"system:masters"}};
    return endpoint.handle(request);
  }
  http::Response upload(const std::string& target) {
    http::Tap tap;
    tap.pour("image");
    tap.end();
    return upload(target, tap);
  }

  // What an importer hears from one sender, and how many bytes it was told of; it answers as the test says.
  std::future<std::string> listen(Result<> answer) {
    return std::async(std::launch::async, [answer, inlet = importer::Inlet::open(directory.path()).value()] {
      const auto idle = [] { return Result<>(); };
      const auto shipment = inlet.accept(idle).value();
      std::string text = std::to_string(shipment.total()) + " ";
      const auto keep = [&](std::string_view bytes) -> Result<> {
        text += bytes;
        return {};
      };
      if (!shipment.read(keep, idle).value()) return text + " and no more";
      shipment.answer(answer);
      return text;
    });
  }
};

TEST_F(NodeTakesAnUpload, ForTheImporterOfAPod) {
  auto heard = listen({});
  EXPECT_EQ(upload("/uploads/default/guest?bytes=5").status, 200);
  EXPECT_EQ(heard.get(), "5 image");
}

TEST_F(NodeTakesAnUpload, AndPassesOnWhyTheImporterCannotUseIt) {
  auto heard = listen(fail(Code::Invalid, "it is empty"));
  const http::Response response = upload("/uploads/default/guest");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body, "it is empty\n");
}

TEST_F(NodeTakesAnUpload, AndTellsTheImporterWhenItBreaksOff) {
  auto heard = listen({});
  http::Tap tap;
  tap.pour("im");
  tap.breakOff();
  EXPECT_EQ(upload("/uploads/default/guest", tap).status, 503);
  EXPECT_EQ(heard.get(), "0 im and no more");
}

TEST_F(NodeTakesAnUpload, OnlyWhereOneIsWaitedFor) {
  EXPECT_EQ(upload("/uploads/default/guest").status, 503);
  EXPECT_EQ(upload("/uploads/default/absent").status, 404);
  importer.now.progress = importer::Progress{.stage = importer::Stage::Converting};
  EXPECT_EQ(upload("/uploads/default/guest").status, 409);
  EXPECT_EQ(ask("/uploads/default/guest").status, 405);
  EXPECT_EQ(ask("/uploads/default/guest", std::nullopt).status, 401);
}

TEST_F(NodeTakesAnUpload, OneAtATimeForEachPod) {
  const auto idle = [] { return Result<>(); };
  const auto inlet = importer::Inlet::open(directory.path()).value();
  http::Tap tap;
  auto first = std::async(std::launch::async, [&] { return upload("/uploads/default/guest", tap).status; });
  {
    const auto shipment = inlet.accept(idle).value();
    EXPECT_EQ(upload("/uploads/default/guest").status, 409);
    tap.end();
    EXPECT_TRUE(shipment.read([](std::string_view) { return Result<>(); }, idle).value());
    shipment.answer({});
  }
  EXPECT_EQ(first.get(), 200);
}

TEST_F(NodeAnswers, WithAllThatAPodHasSaid) { EXPECT_EQ(read(""), "one\ntwo\nthree\n"); }

TEST_F(NodeAnswers, WithTheLastLines) {
  EXPECT_EQ(read("?tailLines=2"), "two\nthree\n");
  EXPECT_EQ(read("?tailLines=0"), "");
}

TEST_F(NodeAnswers, WithNoMoreBytesThanAskedFor) {
  EXPECT_EQ(read("?limitBytes=5"), "one\nt");
  EXPECT_EQ(read("?limitBytes=5&follow=true"), "one\nt");
}

TEST_F(NodeAnswers, WithNothingThatWasSaidAfterTheQuestion) {
  http::Reader lastTwo(guest("?tailLines=2").stream);
  write("guest", "four\n");
  EXPECT_EQ(lastTwo.readToTheEnd(), "two\nthree\n");
}

TEST_F(NodeAnswers, WithALogThatIsLargerThanOnePiece) {
  const std::string much(1'000'000, 'x');
  write("guest", much);
  EXPECT_EQ(read(""), "one\ntwo\nthree\n" + much);
}

TEST_F(NodeAnswers, WithWhatComesUntilThePodEnds) {
  http::Reader reader = follow();
  EXPECT_EQ(reader.read(14), "one\ntwo\nthree\n");
  write("guest", "four\n");
  EXPECT_EQ(reader.read(5), "four\n");
  EXPECT_FALSE(reader.ended());
  write("guest", "last words\n");
  change("guest", [](kinds::Pod& pod) { pod.status.phase = kinds::pod_phase::kSucceeded; });
  EXPECT_EQ(reader.readToTheEnd(), "last words\n");
}

TEST_F(NodeAnswers, AFollowerAsSoonAsSomethingIsSaid) {
  const auto stream = guest("?follow=true").stream;
  EXPECT_EQ(afterSilence(*stream, [this] { write("guest", "four\n"); }), "four\n");
  EXPECT_EQ(afterSilence(*stream, [this] { write("guest", "five\n"); }), "five\n");
}

TEST_F(NodeAnswers, UntilAPodIsAnotherOneOfItsName) {
  http::Reader reader = follow("?follow=true&tailLines=0");
  change("guest", [](kinds::Pod& pod) { pod.metadata.uid = "guest-2"; });
  EXPECT_EQ(reader.readToTheEnd(), "");
}

TEST_F(NodeAnswers, WithAFileThatComesOnlyLater) {
  std::filesystem::remove(directory.file("guest"));
  const auto stream = guest("?follow=true").stream;
  EXPECT_EQ(afterSilence(*stream, [this] { write("guest", "hello\n"); }), "hello\n");
}

TEST_F(NodeAnswers, WithWhatIsWrittenAfterAFileWasCutOff) {
  http::Reader reader = follow();
  EXPECT_EQ(reader.read(14), "one\ntwo\nthree\n");
  std::filesystem::resize_file(directory.file("guest"), 0);
  write("guest", "anew\n");
  EXPECT_EQ(reader.read(5), "anew\n");
}

TEST_F(NodeAnswers, WithTheTimesOfALogThatHasThem) {
  const std::string target = "/containerLogs/default/move/mover";
  EXPECT_EQ(http::Reader(ask(target + "?sinceTime=2010-01-01T00:00:00Z").stream).readToTheEnd(),
            "2033-01-01T00:00:00Z ends\n");
  EXPECT_EQ(http::Reader(ask(target + "?sinceSeconds=60&timestamps=true").stream).readToTheEnd(),
            "2033-01-01T00:00:00Z ends\n");
}

TEST_F(NodeAnswers, ThatAConsoleHasNoTimes) {
  for (const char* query : {"?sinceSeconds=5", "?sinceTime=2010-01-01T00:00:00Z", "?timestamps=true"}) {
    const http::Response response = guest(query);
    EXPECT_EQ(response.status, 400);
    EXPECT_NE(response.body.find("carries no times"), std::string::npos) << response.body;
  }
}

TEST_F(NodeAnswers, WhichParameterMakesNoSense) {
  const std::pair<const char*, const char*> cases[] = {
      {"?tailLines=-1", "tailLines: Invalid value: \"-1\": must be greater than or equal to 0\n"},
      {"?limitBytes=0", "limitBytes: Invalid value: \"0\": must be greater than or equal to 1\n"},
      {"?tailLines=few", "tailLines: Invalid value: \"few\": must be an integer\n"},
      {"?sinceSeconds=1&sinceTime=2010-01-01T00:00:00Z",
       "at most one of `sinceTime` or `sinceSeconds` may be specified\n"}};
  for (const auto& [query, message] : cases) {
    EXPECT_EQ(guest(query).status, 400) << query;
    EXPECT_EQ(guest(query).body, message);
  }
}

TEST_F(NodeAnswers, ThatThereWasNoContainerBefore) {
  const http::Response response = guest("?previous=true");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body, "previous terminated container \"compute\" in pod \"guest\" not found\n");
}

TEST_F(NodeAnswers, ThatAPodHasNotStarted) {
  change("guest", [](kinds::Pod& pod) { pod.status.phase = kinds::pod_phase::kPending; });
  const http::Response response = guest("");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body, "container \"compute\" in pod \"guest\" is waiting to start: ContainerCreating\n");
}

TEST_F(NodeAnswers, ThatThereIsNoSuchThing) {
  EXPECT_EQ(ask("/containerLogs/default/nobody/compute").status, 404);
  EXPECT_EQ(ask("/containerLogs/default/guest/sidecar").status, 404);
  EXPECT_EQ(ask("/exec/default/guest/compute").status, 404);
}

TEST_F(NodeAnswers, NobodyButTheApiServer) {
  const std::string target = "/containerLogs/default/guest/compute";
  EXPECT_EQ(ask(target, std::nullopt).status, 401);
  EXPECT_EQ(ask(target, http::PeerCertificate{"eve", {"system:nodes"}}).status, 403);
  EXPECT_EQ(ask(target, http::PeerCertificate{"api", {"kubeadm:cluster-admins"}}).status, 200);
}

}  // namespace
}  // namespace godwit::node
