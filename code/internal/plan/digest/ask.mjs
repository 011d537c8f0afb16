// Sends a request as curl does with --digest: the content once the server needs no more.
async function askDigest(client, url, { user, password, ...settings }, content) {
  const ask = async (content) => {
    const request = client.request(url, settings);
    request.end(content);
    const [response] = await once(request, "response");
    return response;
  };
  if (!user) return ask(content);
  const first = await ask(content && "");
  const challenge = first.headers["www-authenticate"] ?? "";
  if (first.statusCode === 401 && /digest /i.test(challenge)) {
    const { pathname, search } = new URL(url);
    const answer = digest(challenge, settings.method ?? "GET", pathname + search, user, password);
    settings.headers = { ...settings.headers, Authorization: answer };
  } else if (!content || first.statusCode >= 300) {
    return first;
  }
  first.resume();
  return ask(content);
}
