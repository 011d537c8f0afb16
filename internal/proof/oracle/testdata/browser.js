// Sends requests of all kinds, each with a number in its path.
(async () => {
  const other = location.protocol + "//other.test" + (location.port && ":" + location.port);
  const secure = location.protocol === "https:"; // where one of a kind is enough
  let count = 0;
  const url = (query = "", base = "") => base + "/n" + ++count + query;
  const send = (query, options, base) => fetch(url(query, base), { cache: "no-store", ...options }).catch(() => {});
  document.cookie = "plain=1";
  document.cookie = 'odd=a"b c; path=/';

  // Methods and contents.
  const form = new FormData();
  form.append("a", "b");
  form.append('q"uote', "line\nbreak é");
  const contents = [
    undefined, "", "a=1&b=2", "é ü 漢字", JSON.stringify({ a: [1, "x'y"], b: null }), "'single' \"double\" $HOME `x` \\ !",
    new URLSearchParams({ a: "b c", "é": "&=" }), form, new Uint8Array([1, 255, 254, 10, 13]), new Uint8Array([0xc3, 0x28]).buffer,
    "line\r\nline\n", "@file", "x".repeat(20000),
  ];
  for (const method of secure ? ["POST"] : ["GET", "POST", "PUT", "PATCH", "DELETE", "PURGE"])
    for (const body of method === "GET" ? [undefined] : method === "POST" ? contents : contents.slice(0, 3)) await send("", { method, body });

  // Header fields.
  for (const headers of [
    { "X-A": "1" }, { "x-a": "" }, { "X-Quotes": "'a' \"b\" $c `d` \\e !f" }, { "X-Latin": "\u00e9\u00fc" }, { "X-UTF": "\u00c3\u00a9" }, { Accept: "application/json" },
    { "Content-Type": "application/json" }, { "content-type": "text/plain;charset=utf-8" }, { Authorization: "Basic YTpi" },
    { "X-A": "a, b", "X-B": "a;b", "x-c": "a:b" }, { "X-Long": "y".repeat(3000) }, { "User-Agent": "mine/1" }, { "If-None-Match": '"x"' }, { Range: "bytes=0-5" },
    { "Accept-Language": "de" }, { "X-Percent": "100%25 %s" }, { "X-Braces": "{a,b}[1-3]" }, { "X-Hash": "#a @b" },
  ]) {
    await send("", { headers });
    await send("", { headers, method: "POST", body: "z" });
  }

  // URLs.
  for (const query of [
    "?", "?a=b&c=d", "?a b", "?é", "/é", "/%c3%a9", "/%C3%a9?%c3", "?{a,b}", "?[1-3]", "/{x}", "/[y]", "?a|b", "?a'b", '?a"b', "?a<b>", "?a\\b", "/a\\b", "/a/../b", "/./c", "/%2e%2e/d",
    "?a^b", "?a`b", "?a+b%20c", "?a;b", "?$HOME", "?!x", "?a=b#fragment", "#only", "/;v=1", "/a//b", "/a%2Fb", "/~x", "/*", "/@a:b", "/a=b", "?a=%zz", "?a=%", "/%7Ex",
  ]) if (!secure || query.length < 3) await send(query, {});

  // What else changes the fields.
  for (const options of [
    { credentials: "omit" }, { credentials: "include" }, { cache: "no-cache" }, { cache: "reload" }, { cache: "default" }, { mode: "same-origin" }, { referrerPolicy: "no-referrer" },
    { referrerPolicy: "origin" }, { referrerPolicy: "unsafe-url" }, { referrer: "/elsewhere?x=1" }, { redirect: "manual" }, { priority: "low" }, { keepalive: true },
    { method: "POST", body: "k", keepalive: true },
  ]) await send("", options);
  for (const options of [{}, { mode: "no-cors" }, { credentials: "include" }, { method: "POST", body: "a=1" }, { method: "POST", body: "x", mode: "no-cors", credentials: "include" }])
    await send("", options, other);

  // XMLHttpRequest, beacons, elements, forms.
  for (const [method, body] of [["GET"], ["POST", "x"], ["POST", null], ["PUT", form], ["DELETE", null], ["POST", document.implementation.createHTMLDocument("t")]])
    await new Promise((done) => {
      const x = new XMLHttpRequest();
      x.open(method, url());
      x.setRequestHeader("X-Requested-With", "XMLHttpRequest");
      x.onloadend = done;
      x.send(body);
    });
  for (const body of ["beacon", new URLSearchParams({ a: "b" })]) navigator.sendBeacon(url(), body);
  for (const tag of ["img", "script", "iframe"])
    await new Promise((done) => {
      const e = document.createElement(tag);
      e.onload = e.onerror = done;
      e.src = url();
      document.body.append(e);
    });
  for (const [method, enctype] of [["get", ""], ["post", "application/x-www-form-urlencoded"], ["post", "multipart/form-data"], ["post", "text/plain"]])
    await new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.name = "frame" + count;
      document.body.append(frame);
      const f = document.createElement("form");
      Object.assign(f, { method, action: url(), target: frame.name });
      if (enctype) f.enctype = enctype;
      for (const [name, value] of [["a", "b c"], ["é", "x\ny&="], ["", "nameless"]]) {
        const i = document.createElement("textarea");
        Object.assign(i, { name, value });
        f.append(i);
      }
      document.body.append(f);
      frame.onload = done;
      f.submit();
    });
  await new Promise((done) => setTimeout(done, 200));
})();
