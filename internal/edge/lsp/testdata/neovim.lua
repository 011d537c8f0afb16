-- Does in Neovim what somebody would do with a document: waits for what is said of it,
-- asks what an option does, mends the line, and opens the command as a program. What was
-- seen goes to the file that $SEEN names, as JSON.
local seen = {}

local function wait(what, condition)
  if not vim.wait(30000, condition, 20) then
    error("there is not " .. what)
  end
end

local function messages()
  local all = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(all, ("%d:%d-%d %s"):format(d.lnum, d.col, d.end_col, d.code or (d.user_data and d.user_data.lsp.code) or ""))
  end
  return all
end

local function run()
  wait("a diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
  seen.diagnostics = messages()

  -- The commands have callbacks in place of windows, so that they can be asked for.
  vim.ui.select = function(items, options, choose)
    seen.actions = vim.tbl_map(options.format_item, items)
    for i, title in ipairs(seen.actions) do
      if title:find(seen.wanted, 1, true) then
        return choose(items[i], i)
      end
    end
    choose(nil)
  end

  local line = vim.fn.search("heder")
  vim.api.nvim_win_set_cursor(0, { line, (vim.fn.getline(line):find("heder")) })
  seen.wanted = "header"
  vim.lsp.buf.code_action()
  wait("the fix", function() return vim.fn.getline(line):find("%-%-header") end)
  seen.mended = vim.fn.getline(line)
  wait("no diagnostic", function() return #vim.diagnostic.get(0) == 0 end)

  -- Typing a mistake brings one again.
  vim.api.nvim_buf_set_text(0, line - 1, 0, line - 1, 4, { "curl --heder é" })
  wait("a diagnostic of what is typed", function() return #vim.diagnostic.get(0) > 0 end)
  seen.typed = messages()
  vim.api.nvim_buf_set_text(0, line - 1, 0, line - 1, #"curl --heder é", { "curl" })
  wait("no diagnostic again", function() return #vim.diagnostic.get(0) == 0 end)

  local hover
  vim.api.nvim_win_set_cursor(0, { line, (vim.fn.getline(line):find("--header", 1, true)) + 2 })
  vim.lsp.buf_request(0, "textDocument/hover", vim.lsp.util.make_position_params(), function(_, result) hover = result end)
  wait("an explanation", function() return hover end)
  seen.hover = hover.contents.value

  local document = vim.api.nvim_get_current_buf()
  seen.wanted = "Python"
  vim.lsp.buf.code_action()
  wait("a program", function() return vim.api.nvim_get_current_buf() ~= document and vim.fn.line("$") > 1 end)
  seen.program, seen.filetype = table.concat(vim.fn.getline(1, "$"), "\n"), vim.bo.filetype
end

local ok, problem = pcall(run)
seen.problem = not ok and tostring(problem) or nil
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.SEEN)
vim.cmd("qall!")
