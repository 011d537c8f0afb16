// Commands to begin with, for each shell.

export const examples = [
  {
    name: "JSON",
    text: `curl https://api.example.com/users \\
  -H 'Authorization: Bearer eyJhbGciOiJub25lIn0.e30.' \\
  --json '{"name": "Ann", "id": 12345678901234567890}'`,
  },
  {
    name: "Form and upload",
    text: `curl -u ann:secret https://api.example.com/me \\
  -F 'note=Hello, Ann;type=text/markdown' \\
  -F avatar=@me.png`,
  },
  {
    name: "Copied from a browser",
    text: `curl 'https://shop.example.com/cart/items?lang=en&currency=EUR' \\
  -X 'PUT' \\
  -H 'accept: application/json' \\
  -H 'accept-language: en-GB,en;q=0.9' \\
  -H 'content-type: application/x-www-form-urlencoded' \\
  -b 'session=8f14e45f; theme=dark' \\
  -H 'origin: https://shop.example.com' \\
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64)' \\
  --data-raw 'item=42&count=2&note=gift%20wrap' \\
  --compressed`,
  },
  {
    name: "bash script",
    text: `TOKEN=abc123
curl -sSL --retry 3 --max-time 10 \\
  -H "Authorization: Bearer $TOKEN" \\
  -d @- https://api.example.com/notes <<EOF | jq .
{"text": "It's here", "tags": ["a", "b"]}
EOF`,
  },
  {
    name: "cmd.exe",
    text: `curl -X POST "https://api.example.com/orders?dry-run=true&lang=en" ^
  -H "Content-Type: application/json" ^
  -H "X-Api-Key: 0123456789" ^
  -d "{\\"item\\": \\"desk lamp\\", \\"count\\": 2}"`,
  },
  {
    name: "PowerShell",
    text: `curl.exe -X PATCH 'https://api.example.com/orders/7' \`
  -H 'Accept: application/json' \`
  --data-urlencode 'comment=right on time' \`
  -x http://proxy.example.com:3128`,
  },
  {
    name: "Invoke-WebRequest",
    text: `Invoke-WebRequest -Uri "https://api.example.com/search?q=coil" \`
  -Method POST \`
  -Headers @{ "Accept" = "application/json"; "X-Trace" = "1" } \`
  -ContentType "application/json" \`
  -Body '{"page": 2}'`,
  },
  {
    name: "Several requests",
    text: "curl -I 'https://example.com/page[1-3].html' --next -d done=1 https://example.com/log",
  },
  {
    name: "A mistake",
    text: `curl https://api.example.com/users \\
  --hedaer 'Accept: application/json'`,
  },
];

// tasks are the examples that an empty page offers, with what they are.
export const tasks = [
  { name: "Copied from a browser", why: "“Copy as cURL”, with cookies and all its headers" },
  { name: "JSON", why: "an API call with a token" },
  { name: "Form and upload", why: "fields, files and a password" },
  { name: "bash script", why: "variables and a here-document" },
];
