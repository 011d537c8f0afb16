// Sends a request as curl does with --digest: the content once the server needs no more.
fun <T> sendDigest(
    client: HttpClient,
    request: HttpRequest,
    handler: BodyHandler<T>,
    user: String,
    password: String
): HttpResponse<T> {
    val content = request.bodyPublisher().filter { it.contentLength() != 0L }.isPresent()
    val first = HttpRequest.newBuilder(request, { _, _ -> true })
    if (content) {
        first.method(request.method(), BodyPublishers.noBody())
    }
    val response = client.send(first.build(), handler)
    val challenge = response.headers().allValues("WWW-Authenticate").joinToString()
    val second = HttpRequest.newBuilder(request, { _, _ -> true })
    if (response.statusCode() == 401 && challenge.contains("digest ", ignoreCase = true)) {
        second.header("Authorization", digest(challenge, request, user, password))
    } else if (!content || response.statusCode() >= 300) {
        return response
    }
    return client.send(second.build(), handler)
}

// Answers a server that asks for Digest authentication: RFC 7616.
fun digest(challenge: String, request: HttpRequest, user: String, password: String): String {
    val start = challenge.indexOf("digest ", ignoreCase = true)
    val found = Regex("""(\w+)=(?:"(.*?)"|([^\s,]+))""").findAll(challenge, start)
    val parts = found.toList().reversed()
        .associate { it.groupValues[1] to it.groupValues[2] + it.groupValues[3] }
    val algorithm = parts["algorithm"] ?: "MD5"
    val realm = parts["realm"]
    val nonce = parts["nonce"]
    val cnonce = UUID.randomUUID()
    val query = request.uri().rawQuery
    val uri = request.uri().rawPath.ifEmpty { "/" } + if (query == null) "" else "?$query"
    val hash = { text: String ->
        val bytes = MessageDigest.getInstance(algorithm).digest(text.toByteArray())
        bytes.joinToString("") { "%02x".format(it) }
    }
    val count = if ("qop" in parts) ":00000001:$cnonce:auth:" else ":"
    val own = hash("$user:$realm:$password")
    val response = hash(own + ":" + nonce + count + hash(request.method() + ":" + uri))
    var answer = """Digest username="$user", realm="$realm", nonce="$nonce", uri="$uri""""
    answer += ", algorithm=$algorithm"
    if ("qop" in parts) answer += """, qop=auth, nc=00000001, cnonce="$cnonce""""
    if ("opaque" in parts) answer += """, opaque="${parts["opaque"]}""""
    return answer + """, response="$response""""
}
