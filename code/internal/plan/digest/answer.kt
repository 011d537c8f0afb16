// Answers a server that asks for Digest authentication: RFC 7616.
fun digest(
    challenge: String,
    method: String,
    uri: String,
    user: String,
    password: String
): String {
    val start = challenge.indexOf("digest ", ignoreCase = true)
    val found = Regex("""(\w+)=(?:"(.*?)"|([^\s,]+))""").findAll(challenge, start)
    val parts = found.toList().reversed()
        .associate { it.groupValues[1] to it.groupValues[2] + it.groupValues[3] }
    val algorithm = parts["algorithm"] ?: "MD5"
    val realm = parts["realm"]
    val nonce = parts["nonce"]
    val cnonce = UUID.randomUUID()
    val hash = { text: String ->
        val bytes = MessageDigest.getInstance(algorithm).digest(text.toByteArray())
        bytes.joinToString("") { "%02x".format(it) }
    }
    val count = if ("qop" in parts) ":00000001:$cnonce:auth:" else ":"
    val own = hash("$user:$realm:$password")
    val response = hash(own + ":" + nonce + count + hash(method + ":" + uri))
    var answer = """Digest username="$user", realm="$realm", nonce="$nonce", uri="$uri""""
    answer += ", algorithm=$algorithm"
    if ("qop" in parts) answer += """, qop=auth, nc=00000001, cnonce="$cnonce""""
    if ("opaque" in parts) answer += """, opaque="${parts["opaque"]}""""
    return answer + """, response="$response""""
}
