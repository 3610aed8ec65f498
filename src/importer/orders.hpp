#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "schema/schema.hpp"
#include "storage/place.hpp"

namespace godwit::importer {

struct Download {
  std::string url;
  std::string checksum = {};  // "sha256:..."; empty: not compared
  std::string user = {};      // both empty: nobody in particular
  std::string password = {};
  std::string certificates = {};          // PEM; authorities to trust besides the machine's
  std::vector<std::string> headers = {};  // "Name: value", of one request; nobody orders them

  bool operator==(const Download&) const = default;
};

// A file in a container image.
struct ContainerImage {
  Download from;          // its URL is the image's name
  std::string path = {};  // of the file; empty: the one in the folder disk

  bool operator==(const ContainerImage&) const = default;
};

// All an importer needs to know. It has no credentials of the cluster and asks nobody else.
struct Orders {
  std::string errand;                           // UID of its pod
  std::optional<Download> download = {};        // this,
  std::optional<ContainerImage> image = {};     // or what is in a container image,
  std::optional<storage::Place> original = {};  // or a disk that is copied,
  bool upload = false;                          // or what somebody sends
  storage::Place target = {};
  std::int64_t targetBytes = 0;  // 0: as large as the image is, for a file

  bool operator==(const Orders&) const = default;
};

// Invalid unless they name exactly one source.
Result<Orders> parseOrders(std::string_view text);
std::string writeOrders(const Orders& orders);

}  // namespace godwit::importer

namespace godwit::schema {

template <>
inline constexpr auto schema<importer::Download> =
    object(field<&importer::Download::url>("url", "What to fetch.", required),
           field<&importer::Download::checksum>("checksum", "What the bytes amount to."),
           field<&importer::Download::user>("user", "Who fetches it."),
           field<&importer::Download::password>("password", "How that is proved."),
           field<&importer::Download::certificates>("certificates", "Authorities to trust."));

template <>
inline constexpr auto schema<importer::ContainerImage> =
    object(field<&importer::ContainerImage::from>("from", "Where it is.", required),
           field<&importer::ContainerImage::path>("path", "Which file of it."));

template <>
inline constexpr auto schema<importer::Orders> =
    object(field<&importer::Orders::errand>("errand", "UID of the pod.", required),
           field<&importer::Orders::download>("download", "What to fetch."),
           field<&importer::Orders::image>("image", "What to look in."),
           field<&importer::Orders::original>("original", "What to copy."),
           field<&importer::Orders::upload>("upload", "Whether to wait for what is sent."),
           field<&importer::Orders::target>("target", "What to fill.", required),
           field<&importer::Orders::targetBytes>("targetBytes", "How much fits.", required));

}  // namespace godwit::schema
