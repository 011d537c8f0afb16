def request_digest(connection, user, password, method, target, body=None, headers=None):
    """Sends a request as curl does with --digest: the content once the server needs no more."""
    headers = headers or {}
    connection.request(method, target, body and b"", headers)
    response = connection.getresponse()
    challenge = ", ".join(response.headers.get_all("WWW-Authenticate", []))
    if response.status == 401 and re.search("digest ", challenge, re.IGNORECASE):
        answer = digest(challenge, method, target, user, password)
        headers = {**headers, "Authorization": answer}
    elif not body or response.status >= 300:
        return response
    response.read()
    connection.request(method, target, body, headers)
    return connection.getresponse()


def digest(challenge, method, uri, user, password):
    """Answers a server that asks for Digest authentication: RFC 7616."""
    challenge = re.split("digest ", challenge, maxsplit=1, flags=re.IGNORECASE)[1]
    found = re.findall(r'(\w+)=(?:"(.*?)"|([^\s,]+))', challenge)
    parts = {name.lower(): quoted or token for name, quoted, token in reversed(found)}
    realm, nonce, algorithm = parts["realm"], parts["nonce"], parts.get("algorithm", "MD5")

    def hashed(*texts):
        return hashlib.new(algorithm.replace("-", ""), ":".join(texts).encode()).hexdigest()

    cnonce = secrets.token_hex(16)
    count = ["00000001", cnonce, "auth"] if "qop" in parts else []
    response = hashed(hashed(user, realm, password), nonce, *count, hashed(method, uri))
    answer = f'Digest username="{user}", realm="{realm}", nonce="{nonce}", uri="{uri}"'
    answer += f', algorithm={algorithm}, response="{response}"'
    if count:
        answer += f', qop=auth, nc=00000001, cnonce="{cnonce}"'
    if "opaque" in parts:
        answer += f', opaque="{parts["opaque"]}"'
    return answer
