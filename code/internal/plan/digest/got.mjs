// Answers for Digest once, but no other host that a redirect leads to.
function gotDigest(user, password) {
  return (response, sendAgain) => {
    const { url, method, headers } = response.request.options;
    const challenge = response.headers["www-authenticate"] ?? "";
    const asks = response.statusCode === 401 && /digest /i.test(challenge);
    if (!asks || headers.authorization || url.host !== response.requestUrl.host) return response;
    const answer = digest(challenge, method, url.pathname + url.search, user, password);
    return sendAgain({ headers: { authorization: answer } });
  };
}
