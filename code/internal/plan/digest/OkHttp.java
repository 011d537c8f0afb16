// Answers for Digest, once for each URL, and to no other host that a redirect leads to.
static Authenticator digestAuthenticator(String user, String password) {
    return (route, response) -> {
        var request = response.request();
        var last = response.priorResponse();
        var challenge = String.join(", ", response.headers("WWW-Authenticate"));
        var answered = last != null && last.code() == 401;
        if (answered || !challenge.toLowerCase().contains("digest ")) {
            return null;
        }
        for (; last != null; last = last.priorResponse()) {
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
