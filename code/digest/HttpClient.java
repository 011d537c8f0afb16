// Sends a request as curl does with --digest: the content once the server needs no more.
static <T> HttpResponse<T> sendDigest(
    HttpClient client,
    HttpRequest request,
    BodyHandler<T> handler,
    String user,
    String password
) throws Exception {
    var content = request.bodyPublisher().filter(body -> body.contentLength() != 0).isPresent();
    var first = HttpRequest.newBuilder(request, (name, value) -> true);
    if (content) {
        first.method(request.method(), BodyPublishers.noBody());
    }
    var response = client.send(first.build(), handler);
    var challenge = String.join(", ", response.headers().allValues("WWW-Authenticate"));
    var second = HttpRequest.newBuilder(request, (name, value) -> true);
    if (response.statusCode() == 401 && challenge.toLowerCase().contains("digest ")) {
        second.header("Authorization", digest(challenge, request, user, password));
    } else if (!content || response.statusCode() >= 300) {
        return response;
    }
    return client.send(second.build(), handler);
}

// Answers a server that asks for Digest authentication: RFC 7616.
static String digest(String challenge, HttpRequest request, String user, String password)
    throws Exception {
    var parts = new HashMap<String, String>();
    var part = Pattern.compile("(\\w+)=(?:\"(.*?)\"|([^\\s,]+))").matcher(challenge);
    part.region(challenge.toLowerCase().indexOf("digest "), challenge.length());
    while (part.find()) {
        parts.putIfAbsent(part.group(1).toLowerCase(), part.group(part.group(2) == null ? 3 : 2));
    }
    var algorithm = parts.getOrDefault("algorithm", "MD5");
    var realm = parts.get("realm");
    var nonce = parts.get("nonce");
    var cnonce = UUID.randomUUID();
    var path = request.uri().getRawPath();
    var query = request.uri().getRawQuery();
    var uri = (path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);

    var own = hash(algorithm, user + ":" + realm + ":" + password);
    var asked = hash(algorithm, request.method() + ":" + uri);
    var count = parts.containsKey("qop") ? ":00000001:" + cnonce + ":auth:" : ":";
    var response = hash(algorithm, own + ":" + nonce + count + asked);

    var answer = "Digest username=\"%s\", realm=\"%s\", nonce=\"%s\", uri=\"%s\", algorithm=%s"
        .formatted(user, realm, nonce, uri, algorithm);
    if (parts.containsKey("qop")) {
        answer += ", qop=auth, nc=00000001, cnonce=\"%s\"".formatted(cnonce);
    }
    if (parts.containsKey("opaque")) {
        answer += ", opaque=\"%s\"".formatted(parts.get("opaque"));
    }
    return answer + ", response=\"%s\"".formatted(response);
}

static String hash(String algorithm, String text) throws Exception {
    var hash = MessageDigest.getInstance(algorithm);
    return HexFormat.of().formatHex(hash.digest(text.getBytes(StandardCharsets.UTF_8)));
}
