// A HAR request as clients that were added expect it: with objects beside its lists.

/** Returns a copy with the members of httpsnippet's requests. */
export function prepared(request) {
  const { headers = [], cookies = [], queryString = [], postData = { mimeType: "application/octet-stream" } } = request;
  const url = new URL(request.url);
  const queryObj = grouped([...queryString, ...[...url.searchParams].map(([name, value]) => ({ name, value }))]);
  const headersObj = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  const cookie = cookies.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("; ");
  const query = Object.entries(queryObj).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  url.search = new URLSearchParams(query).toString();
  const fullUrl = url.href;
  const { protocol, host, hostname, port, pathname, hash, search } = url;
  return {
    httpVersion: "HTTP/1.1", bodySize: 0, headersSize: 0, ...request, headers, cookies, queryString,
    url: fullUrl.replace(/\?[^#]*/, ""), fullUrl, queryObj, headersObj,
    cookiesObj: Object.fromEntries(cookies.map(({ name, value }) => [name, value])),
    allHeaders: { ...headersObj, ...(cookie && { cookie }) },
    uriObj: { protocol, host, hostname, port, pathname, hash, search, path: pathname + search, href: fullUrl, query: queryObj },
    postData: contentOf(postData),
  };
}

// grouped makes an array of the values of a name that is repeated.
function grouped(pairs) {
  const all = new Map();
  for (const { name, value } of pairs) all.set(name, [...(all.get(name) ?? []), value]);
  return Object.fromEntries([...all].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}

function contentOf(postData) {
  const { mimeType = "", params, text } = postData;
  const content = { ...postData };
  if (params) content.paramsObj = grouped(params);
  if (params && text === undefined && mimeType.startsWith("application/x-www-form-urlencoded")) {
    content.text = new URLSearchParams(params.map(({ name, value = "" }) => [name, value])).toString();
  }
  if (/[/+]json\b/.test(mimeType) && text !== undefined) {
    try {
      content.jsonObj = JSON.parse(text);
    } catch {
      content.jsonObj = undefined; // it says that it is JSON, and is not
    }
  }
  return content;
}
