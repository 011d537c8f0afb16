// Sends a request as curl does with --digest: the content once the server needs no more.
def sendDigest(client, request, handler, user, password) {
    def content = request.bodyPublisher().filter { it.contentLength() != 0 }.isPresent()
    def first = HttpRequest.newBuilder(request, { name, value -> true })
    if (content) {
        first.method(request.method(), BodyPublishers.noBody())
    }
    def response = client.send(first.build(), handler)
    def challenge = response.headers().allValues('WWW-Authenticate').join(', ')
    def second = HttpRequest.newBuilder(request, { name, value -> true })
    if (response.statusCode() == 401 && challenge =~ /(?i)digest /) {
        second.header('Authorization', digest(challenge, request, user, password))
    } else if (!content || response.statusCode() >= 300) {
        return response
    }
    client.send(second.build(), handler)
}

// Answers a server that asks for Digest authentication: RFC 7616.
def digest(challenge, request, user, password) {
    def part = { name ->
        def found = challenge =~ /(?i)digest .*?\b${name}=(?:"(.*?)"|([^\s,]+))/
        found ? (found[0][1] != null ? found[0][1] : found[0][2]) : null
    }
    def (realm, nonce, opaque) = [part('realm'), part('nonce'), part('opaque')]
    def algorithm = part('algorithm') ?: 'MD5'
    def cnonce = UUID.randomUUID()
    def query = request.uri().rawQuery
    def uri = (request.uri().rawPath ?: '/') + (query == null ? '' : "?${query}")
    def hash = { text ->
        MessageDigest.getInstance(algorithm).digest(text.toString().getBytes('UTF-8')).encodeHex()
    }
    def count = part('qop') ? ":00000001:${cnonce}:auth:" : ':'
    def own = hash("${user}:${realm}:${password}")
    def asked = hash("${request.method()}:${uri}")
    def answer = /Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${uri}"/
    answer += ", algorithm=${algorithm}"
    if (part('qop')) {
        answer += /, qop=auth, nc=00000001, cnonce="${cnonce}"/
    }
    if (opaque) {
        answer += /, opaque="${opaque}"/
    }
    answer + /, response="${hash("${own}:${nonce}${count}${asked}")}"/
}
