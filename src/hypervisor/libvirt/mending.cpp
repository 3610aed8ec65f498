#include "hypervisor/libvirt/mending.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/log.hpp"
#include "hypervisor/libvirt/qemu_monitor.hpp"
#include "hypervisor/libvirt/xml.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kPatience(2000);

std::string nodeOf(pugi::xml_node source, const char* type) {
  for (const pugi::xml_node node : source.child("privateData").child("nodenames").children("nodename"))
    if (std::string_view(node.attribute("type").value()) == type) return node.attribute("name").value();
  return "";
}

// One disk of a record that is, or was, being copied.
class Copy {
 public:
  Copy(pugi::xml_node disk, pugi::xml_node jobs) : disk_(disk), mirror_(disk.child("mirror")) {
    const std::string_view target = disk.child("target").attribute("dev").value();
    job_ = jobs.find_child([&](pugi::xml_node job) { return target == job.child("disk").attribute("dst").value(); });
  }

  std::string device() const { return disk_.child("privateData").child("qom").attribute("name").value(); }
  std::string job() const { return job_.attribute("name").value(); }
  pugi::xml_node source() const { return disk_.child("source"); }
  pugi::xml_node destination() const { return mirror_.child("source"); }

  // The guest has the destination.
  void finish() {
    set(disk_, "type", mirror_.attribute("type").value());
    set(disk_.child("driver"), "type", mirror_.child("format").attribute("type").value());
    const pugi::xml_node old = source();
    disk_.insert_copy_before(destination(), old);
    disk_.remove_child(old);
    forget();
  }

  void forget() {
    disk_.remove_child(mirror_);
    if (job_) job_.parent().remove_child(job_);
  }

 private:
  pugi::xml_node disk_;
  pugi::xml_node mirror_;
  pugi::xml_node job_;
};

void letGo(pugi::xml_node source, std::vector<std::string>& nodes) {
  for (const char* type : {"format", "storage"})
    if (std::string node = nodeOf(source, type); !node.empty()) nodes.push_back(std::move(node));
}

// Whether it was otherwise than the record says.
bool settle(Copy copy, const BlockGraph& graph, Mending& mending) {
  const auto found = graph.nodes.find(copy.device());
  if (found == graph.nodes.end()) return false;
  const bool underWay = graph.jobs.contains(copy.job());
  if (found->second == nodeOf(copy.destination(), "format")) {
    if (underWay) mending.jobs.push_back(copy.job());
    letGo(copy.source(), mending.nodes);
    copy.finish();
    return true;
  }
  if (underWay || found->second != nodeOf(copy.source(), "format")) return false;
  letGo(copy.destination(), mending.nodes);
  copy.forget();
  return true;
}

std::vector<Copy> copiesIn(const pugi::xml_document& record) {
  const pugi::xml_node status = record.child("domstatus");
  std::vector<Copy> copies;
  for (const pugi::xml_node disk : status.child("domain").child("devices").children("disk"))
    if (disk.child("mirror")) copies.emplace_back(disk, status.child("blockjobs"));
  return copies;
}

Result<BlockGraph> graphOf(QemuMonitor& qemu) {
  BlockGraph graph;
  const json::value devices = TRY(qemu.ask("query-block"));
  const json::value jobs = TRY(qemu.ask("query-jobs"));
  if (!devices.is_array() || !jobs.is_array()) return fail(Code::Internal, "QEMU does not list its disks");
  for (const json::value& device : devices.get_array())
    graph.nodes.emplace(textAt(device, "/qdev"), textAt(device, "/inserted/node-name"));
  for (const json::value& job : jobs.get_array()) graph.jobs.insert(textAt(job, "/id"));
  return graph;
}

Result<> mendRecord(const std::string& path) {
  const std::string record = TRY(readFile(path));
  if (!speaksOfCopies(record)) return {};
  pugi::xml_document document;
  document.load_string(record.c_str());
  QemuMonitor qemu =
      TRY(QemuMonitor::open(document.child("domstatus").child("monitor").attribute("path").value(), kPatience));
  const auto mending = mend(record, TRY(graphOf(qemu)));
  if (!mending) return {};
  log::warn("{} is mended: QEMU has gone on where the daemon ended", path);
  TRY(replaceFile(path, mending->record));
  // What stays for good in QEMU because this is not done costs nothing but that.
  for (const std::string& job : mending->jobs) (void)qemu.ask("job-dismiss", {{"id", job}});
  for (const std::string& node : mending->nodes) (void)qemu.ask("blockdev-del", {{"node-name", node}});
  return {};
}

}  // namespace

bool speaksOfCopies(const std::string& record) {
  pugi::xml_document document;
  return document.load_string(record.c_str()) && !copiesIn(document).empty();
}

std::optional<Mending> mend(const std::string& record, const BlockGraph& graph) {
  pugi::xml_document document;
  if (!document.load_string(record.c_str())) return std::nullopt;
  Mending mending;
  bool wrong = false;
  for (const Copy& copy : copiesIn(document)) wrong = settle(copy, graph, mending) || wrong;
  if (!wrong) return std::nullopt;
  const pugi::xml_node jobs = document.child("domstatus").child("blockjobs");
  if (jobs) set(jobs, "active", jobs.child("blockjob") ? "yes" : "no");
  mending.record = textOf(document);
  return mending;
}

void mendRecords(const std::string& directory) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory, none)) {
    if (entry.path().extension() != ".xml") continue;
    if (const auto mended = mendRecord(entry.path()); !mended)
      log::warn("{} cannot be compared with QEMU: {}", entry.path().string(), mended.error().message);
  }
}

}  // namespace godwit::hypervisor::libvirt
