// Sends a request as curl does with --digest: the content once the server needs no more.
def sendDigest[T](
  client: HttpClient,
  request: HttpRequest,
  handler: BodyHandler[T],
  user: String,
  password: String
): HttpResponse[T] = {
  val all = new BiPredicate[String, String] {
    def test(name: String, value: String) = true
  }
  val publisher = request.bodyPublisher()
  val content = publisher.isPresent && publisher.get.contentLength() != 0
  val first = HttpRequest.newBuilder(request, all)
  if (content) {
    first.method(request.method(), BodyPublishers.noBody())
  }
  val response = client.send(first.build(), handler)
  val challenges = response.headers().allValues("WWW-Authenticate")
  val challenge = String.join(", ", challenges)
  val second = HttpRequest.newBuilder(request, all)
  if (response.statusCode() == 401 && challenge.toLowerCase.contains("digest ")) {
    second.header("Authorization", digest(challenge, request, user, password))
  } else if (!content || response.statusCode() >= 300) {
    return response
  }
  client.send(second.build(), handler)
}

// Answers a server that asks for Digest authentication: RFC 7616.
def digest(challenge: String, request: HttpRequest, user: String, password: String): String = {
  val start = challenge.toLowerCase.indexOf("digest ")
  val pattern = """(\w+)=(?:"(.*?)"|([^\s,]+))""".r
  val found = pattern.findAllMatchIn(challenge.substring(start)).toList.reverse
  val parts = found.map(m => m.group(1) -> Option(m.group(2)).getOrElse(m.group(3))).toMap
  val algorithm = parts.getOrElse("algorithm", "MD5")
  val hash = (text: String) => {
    val bytes = MessageDigest.getInstance(algorithm).digest(text.getBytes("UTF-8"))
    bytes.map("%02x".format(_)).mkString
  }
  val realm = parts("realm")
  val nonce = parts("nonce")
  val cnonce = UUID.randomUUID()
  val path = if (request.uri().getRawPath.isEmpty) "/" else request.uri().getRawPath
  val uri = path + Option(request.uri().getRawQuery).map("?" + _).getOrElse("")
  val count = if (parts.contains("qop")) s":00000001:$cnonce:auth:" else ":"
  val own = hash(s"$user:$realm:$password")
  val response = hash(own + ":" + nonce + count + hash(request.method() + ":" + uri))
  val answer = s"""Digest username="$user", realm="$realm", nonce="$nonce", uri="$uri"""" +
    s""", algorithm=$algorithm, response="$response""""
  val counted =
    if (parts.contains("qop")) s""", qop=auth, nc=00000001, cnonce="$cnonce"""" else ""
  answer + counted + parts.get("opaque").map(opaque => s""", opaque="$opaque"""").getOrElse("")
}
