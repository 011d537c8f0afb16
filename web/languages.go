package web

// A Language is one that has a page of its own, with the code in it first: people
// search for "curl to" its name.
type Language struct {
	Path   string // below the index, without a slash
	Name   string
	Target string // of package code
}

// Languages are those that people search for most.
var Languages = []Language{
	{"python", "Python", "python-requests"},
	{"javascript", "JavaScript", "javascript-fetch"},
	{"node", "Node.js", "node-axios"},
	{"go", "Go", "go"},
	{"php", "PHP", "php"},
	{"java", "Java", "java"},
	{"csharp", "C#", "csharp"},
	{"ruby", "Ruby", "ruby"},
	{"rust", "Rust", "rust"},
	{"kotlin", "Kotlin", "kotlin"},
	{"swift", "Swift", "swift"},
	{"dart", "Dart", "dart"},
	{"r", "R", "r"},
	{"powershell", "PowerShell", "powershell"},
	{"postman", "Postman", "postman"},
}
