// Answers for Digest, but to no other host that a redirect leads to.
static Authenticator digestAuthenticator(String user, String password) {
    return (route, response) -> {
        var request = response.request();
        var challenge = String.join(", ", response.headers("WWW-Authenticate"));
        var asks = challenge.toLowerCase().contains("digest ");
        if (request.header("Authorization") != null || !asks) {
            return null;
        }
        for (var last = response.priorResponse(); last != null; last = last.priorResponse()) {
            if (!last.request().url().host().equals(request.url().host())) {
                return null;
            }
        }
        var query = request.url().encodedQuery();
        var uri = request.url().encodedPath() + (query == null ? "" : "?" + query);
        var answer = digest(challenge, request.method(), uri, user, password);
        return request.newBuilder().header("Authorization", answer).build();
    };
}
