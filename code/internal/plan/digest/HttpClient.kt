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
        val query = request.uri().rawQuery
        val uri = request.uri().rawPath.ifEmpty { "/" } + if (query == null) "" else "?$query"
        val answer = digest(challenge, request.method(), uri, user, password)
        second.header("Authorization", answer)
    } else if (!content || response.statusCode() >= 300) {
        return response
    }
    return client.send(second.build(), handler)
}
