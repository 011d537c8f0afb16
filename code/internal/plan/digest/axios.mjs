// Sends a request as curl does with --digest: the content once the server needs no more.
async function axiosDigest({ user, password, ...config }) {
  const { url, method = "GET", headers, data, validateStatus } = config;
  const first = await axios({
    ...config,
    data: data && Buffer.alloc(0),
    validateStatus: (status) => status === 401 || (validateStatus?.(status) ?? true),
  });
  const challenge = first.headers["www-authenticate"] ?? "";
  if (first.status === 401 && /digest /i.test(challenge)) {
    const { pathname, search } = new URL(url);
    const answer = digest(challenge, method, pathname + search, user, password);
    config.headers = { ...headers, Authorization: answer };
  } else if (!data || first.status >= 300) {
    return first;
  }
  return axios(config);
}
