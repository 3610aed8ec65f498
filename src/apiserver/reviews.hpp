#pragma once

#include <vector>

#include "apiserver/authentication.hpp"
#include "apiserver/endpoint.hpp"

namespace godwit::apiserver {

// Questions that are posted like objects and answered at once, never kept: may I do this (SelfSubjectAccessReview),
// may somebody (SubjectAccessReview), who am I (SelfSubjectReview), whose token is this (TokenReview).
std::vector<Endpoint> reviewEndpoints(const Authentication& authentication);

}  // namespace godwit::apiserver
