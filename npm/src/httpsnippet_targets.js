// The targets and clients of httpsnippet 3 that uncoil has, the default client first: key,
// title, target of uncoil, and where to read more.
export const table = [
  ["c", "C", ".c", [["libcurl", "libcurl", "c", "https://curl.se/libcurl/"]]],
  ["clojure", "Clojure", ".clj", [["clj_http", "clj-http", "clojure", "https://github.com/dakrone/clj-http"]]],
  ["crystal", "Crystal", ".cr", [["native", "HTTP::Client", "crystal", "https://crystal-lang.org/api/HTTP/Client.html"]]],
  ["csharp", "C#", ".cs", [
    ["restsharp", "RestSharp", "csharp-restsharp", "https://restsharp.dev/"],
    ["httpclient", "HttpClient", "csharp", "https://learn.microsoft.com/dotnet/api/system.net.http.httpclient"],
  ]],
  ["go", "Go", ".go", [["native", "net/http", "go", "https://pkg.go.dev/net/http"]]],
  ["http", "HTTP", null, [["http1.1", "HTTP/1.1", "raw-http", "https://www.rfc-editor.org/rfc/rfc9112"]]],
  ["java", "Java", ".java", [
    ["unirest", "Unirest", "java-unirest", "https://kong.github.io/unirest-java/"],
    ["nethttp", "java.net.http", "java", "https://openjdk.org/groups/net/httpclient/"],
    ["okhttp", "OkHttp", "java-okhttp", "https://square.github.io/okhttp/"],
  ]],
  ["javascript", "JavaScript", ".js", [
    ["xhr", "XMLHttpRequest", "javascript-xhr", "https://developer.mozilla.org/docs/Web/API/XMLHttpRequest"],
    ["axios", "axios", "node-axios", "https://axios-http.com/"],
    ["fetch", "fetch", "browser-fetch", "https://developer.mozilla.org/docs/Web/API/Fetch_API"],
    ["jquery", "jQuery", "javascript-jquery", "https://api.jquery.com/jquery.ajax/"],
  ]],
  ["kotlin", "Kotlin", ".kt", [["okhttp", "OkHttp", "kotlin-okhttp", "https://square.github.io/okhttp/"]]],
  ["node", "Node.js", ".js", [
    ["native", "node:http", "node-http", "https://nodejs.org/api/http.html"],
    ["axios", "axios", "node-axios", "https://axios-http.com/"],
    ["fetch", "fetch", "javascript-fetch", "https://nodejs.org/api/globals.html#fetch"],
  ]],
  ["objc", "Objective-C", ".m", [["nsurlsession", "NSURLSession", "objc", "https://developer.apple.com/documentation/foundation/nsurlsession"]]],
  ["ocaml", "OCaml", ".ml", [["cohttp", "cohttp", "ocaml", "https://github.com/mirage/ocaml-cohttp"]]],
  ["php", "PHP", ".php", [
    ["curl", "cURL", "php", "https://www.php.net/curl"],
    ["guzzle", "Guzzle", "php-guzzle", "https://docs.guzzlephp.org/"],
  ]],
  ["powershell", "PowerShell", ".ps1", [
    ["webrequest", "Invoke-WebRequest", "powershell", "https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/invoke-webrequest"],
    ["restmethod", "Invoke-RestMethod", "powershell-restmethod", "https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/invoke-restmethod"],
  ]],
  ["python", "Python", ".py", [
    ["python3", "http.client", "python-http", "https://docs.python.org/3/library/http.client.html"],
    ["requests", "Requests", "python-requests", "https://requests.readthedocs.io/"],
  ]],
  ["r", "R", ".r", [
    ["httr", "httr", "r-httr", "https://httr.r-lib.org/"],
    ["httr2", "httr2", "r", "https://httr2.r-lib.org/"],
  ]],
  ["ruby", "Ruby", ".rb", [
    ["native", "Net::HTTP", "ruby", "https://docs.ruby-lang.org/en/master/Net/HTTP.html"],
    ["faraday", "Faraday", "ruby-faraday", "https://lostisland.github.io/faraday/"],
  ]],
  ["rust", "Rust", ".rs", [["reqwest", "reqwest", "rust", "https://docs.rs/reqwest"]]],
  ["shell", "Shell", ".sh", [
    ["curl", "cURL", "curl", "https://curl.se/"],
    ["httpie", "HTTPie", "httpie", "https://httpie.io/"],
    ["wget", "Wget", "wget", "https://www.gnu.org/software/wget/"],
  ]],
  ["swift", "Swift", ".swift", [["nsurlsession", "URLSession", "swift", "https://developer.apple.com/documentation/foundation/urlsession"]]],
];

/** Its other targets and clients, and which of the above is the nearest. */
export const lacking = {
  "java.asynchttp": "nethttp", "node.request": "axios", "node.unirest": "axios",
  "php.http1": "guzzle", "php.http2": "guzzle",
};
