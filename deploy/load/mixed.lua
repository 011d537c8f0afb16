-- Mixed requests for wrk: of a hundred, 79 are valid, 20 have an
-- error, and one has 1 MiB of content, which is the limit, or a byte more.
--
--   wrk -t2 -c64 -d60s --latency -s deploy/load/mixed.lua http://127.0.0.1:8080
--
-- At the end it counts the answers by status.

local text = { ["Content-Type"] = "text/plain" }
local json = { ["Content-Type"] = "application/json" }

local chrome = [[curl 'https://api.example.com/v2/items?page=2&sort=name' \
  -H 'accept: application/json, text/plain, */*' \
  -H 'accept-language: en-GB,en;q=0.9' \
  -H 'cookie: session=0123456789abcdef; theme=dark' \
  -H 'referer: https://app.example.com/items' \
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' \
  --data-raw '{"name":"Ann","tags":["a","b"],"id":12345678901234567890}' \
  --compressed]]

local head = "curl https://api.example.com/upload --data-raw '"
local large = head .. string.rep("x", 1048576 - #head - 1) .. "'"

local function post(path, headers, body)
  return wrk.format("POST", path, headers, body)
end

local valid, invalid, big

function init()
  valid = {
    post("/api/convert", text, "curl https://api.example.com/users?page=2"),
    post("/api/convert", json, [[{"curl":"curl -u ann:pw -d a=1 https://api.example.com"}]]),
    post("/api/convert", text, chrome),
    post("/api/parse", text, chrome),
    post("/api/parse", json, [[{"curl":"curl -F f=@a.txt https://h/[1-3]","files":{"a.txt":"abc"}}]]),
    post("/api/batch", { ["Content-Type"] = "application/x-ndjson" },
      [[{"id":1,"curl":"curl https://h"}]] .. "\n" .. [[{"id":2,"curl":"curl --nope h"}]] .. "\n"),
    wrk.format("GET", "/healthz"),
  }
  invalid = {
    post("/api/convert", text, "curl --heder 'A: b' https://api.example.com"),
    post("/api/convert", text, "wget https://api.example.com"),
    post("/api/convert", json, [[{"curl":]]),
    post("/api/convert", { ["Content-Type"] = "application/x-www-form-urlencoded" }, "curl h"),
    wrk.format("GET", "/nothing"),
  }
  big = { post("/api/convert", text, large), post("/api/parse", text, large .. "x") }
end

local function any(requests)
  return requests[math.random(#requests)]
end

function request()
  local dice = math.random(100)
  if dice == 1 then
    return any(big)
  elseif dice <= 21 then
    return any(invalid)
  end
  return any(valid)
end

local threads = {}
function setup(thread)
  table.insert(threads, thread)
end

counts = {}
function response(status)
  counts[status] = (counts[status] or 0) + 1
end

function done(summary)
  local all = {}
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get("counts")) do
      all[status] = (all[status] or 0) + count
    end
  end
  local statuses = {}
  for status in pairs(all) do table.insert(statuses, status) end
  table.sort(statuses)
  for _, status in ipairs(statuses) do
    print(string.format("  status %d: %d", status, all[status]))
  end
  local e = summary.errors
  print(string.format("  errors: connect %d, read %d, write %d, timeout %d", e.connect, e.read, e.write, e.timeout))
end
