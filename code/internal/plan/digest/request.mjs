// Sends a request as curl does with --digest: the content once the server needs no more.
async function requestDigest(url, { user, password, ...settings }) {
  const first = await request(url, { ...settings, body: settings.body && "" });
  const challenge = [first.headers["www-authenticate"] ?? []].flat().join(", ");
  if (first.statusCode === 401 && /digest /i.test(challenge)) {
    const { pathname, search } = new URL(url);
    const answer = digest(challenge, settings.method ?? "GET", pathname + search, user, password);
    settings.headers = { ...settings.headers, Authorization: answer };
  } else if (!settings.body || first.statusCode >= 300) {
    return first;
  }
  await first.body.dump();
  return request(url, settings);
}
