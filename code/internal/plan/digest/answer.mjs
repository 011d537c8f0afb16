// Answers a server that asks for Digest authentication: RFC 7616.
function digest(challenge, method, uri, user, password) {
  const part = (name) => {
    const found = challenge.match(new RegExp(`digest .*?\\b${name}=(?:"(.*?)"|([^\\s,]+))`, "i"));
    return found?.[1] ?? found?.[2];
  };
  const [realm, nonce, opaque, qop] = ["realm", "nonce", "opaque", "qop"].map(part);
  const algorithm = part("algorithm") ?? "MD5";
  const hash = (...parts) => createHash(algorithm).update(parts.join(":")).digest("hex");
  const cnonce = randomBytes(16).toString("hex");
  const count = qop ? ["00000001", cnonce, "auth"] : [];
  const response = hash(hash(user, realm, password), nonce, ...count, hash(method, uri));
  return [
    `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${uri}"`,
    `algorithm=${algorithm}, response="${response}"`,
    ...(qop ? [`qop=auth, nc=00000001, cnonce="${cnonce}"`] : []),
    ...(opaque ? [`opaque="${opaque}"`] : []),
  ].join(", ");
}
