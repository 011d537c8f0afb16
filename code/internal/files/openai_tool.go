package files

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// The definition of functions for models of OpenAI and for servers that speak as it does
// (https://platform.openai.com/docs/api-reference/chat/create, tools). The file has the
// list that goes to the model, and apart from it, because the service takes no members of
// others, the request of each function, as MCPTool has it: for the program that calls it.
var OpenAITool = plan.Target{
	Name: "openai-tool", Convention: plan.Format("json"), Client: "OpenAI", Version: "v1", Kind: plan.File, Placeholders: true, Secretless: true, Extension: "json",
	Why:     "a schema reads them; a description of a tool sends nothing",
	Aliases: []string{"openai-function"}, SavedAs: "tools.json", Style: emit.Style{Indent: "  "}, Write: writeOpenAITool,
	Facts: MCPTool.Facts,
}

func writeOpenAITool(p *plan.Program) {
	names := make(map[string]int)
	requests := newObject()
	tools := eachCall(p, func(c *plan.Call) emit.Value {
		t, name := toolOf(p, c), toolName(c, names)
		requests.add(name, t.request())
		function := newObject().text("name", name).text("description", t.description()).add("parameters", t.schema())
		return newObject().text("type", "function").add("function", function.Value).Value
	})
	if p.Options.Bare {
		json(p, oneOrList(tools))
		return
	}
	json(p, newObject().list("tools", tools).add("requests", requests.Value).Value)
}
