// Sends a request as curl does with --digest: the content once the server needs no more.
static <T> HttpResponse<T> sendDigest(
    HttpClient client,
    HttpRequest request,
    BodyHandler<T> handler,
    String user,
    String password
) throws IOException, InterruptedException {
    var content = request.bodyPublisher().filter(body -> body.contentLength() != 0).isPresent();
    var first = HttpRequest.newBuilder(request, (name, value) -> true);
    if (content) {
        first.method(request.method(), BodyPublishers.noBody());
    }
    var response = client.send(first.build(), handler);
    var challenge = String.join(", ", response.headers().allValues("WWW-Authenticate"));
    var second = HttpRequest.newBuilder(request, (name, value) -> true);
    if (response.statusCode() == 401 && challenge.toLowerCase().contains("digest ")) {
        var query = request.uri().getRawQuery();
        var path = request.uri().getRawPath().isEmpty() ? "/" : request.uri().getRawPath();
        var uri = query == null ? path : path + "?" + query;
        second.header("Authorization", digest(challenge, request.method(), uri, user, password));
    } else if (!content || response.statusCode() >= 300) {
        return response;
    }
    return client.send(second.build(), handler);
}
