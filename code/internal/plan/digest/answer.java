// Answers a server that asks for Digest authentication: RFC 7616.
static String digest(String challenge, String method, String uri, String user, String password)
    throws IOException {
    var parts = new HashMap<String, String>();
    var part = Pattern.compile("(\\w+)=(?:\"(.*?)\"|([^\\s,]+))").matcher(challenge);
    part.region(challenge.toLowerCase().indexOf("digest "), challenge.length());
    while (part.find()) {
        var value = part.group(2) == null ? part.group(3) : part.group(2);
        parts.putIfAbsent(part.group(1).toLowerCase(), value);
    }
    var algorithm = parts.getOrDefault("algorithm", "MD5");
    var realm = parts.get("realm");
    var nonce = parts.get("nonce");
    var cnonce = UUID.randomUUID();
    var own = hash(algorithm, user + ":" + realm + ":" + password);
    var asked = hash(algorithm, method + ":" + uri);
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

static String hash(String algorithm, String text) throws IOException {
    try {
        var hash = MessageDigest.getInstance(algorithm);
        return HexFormat.of().formatHex(hash.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
        throw new IOException(e);
    }
}
