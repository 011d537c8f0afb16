package code_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestJavaTypes has the compiler of Java read the programs for clients with the types of
// what they use of them.
func TestJavaTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a compiler")
	}
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip(err)
	}
	for name, types := range map[string]string{"java-restclient": "restclient.txtar", "java-unirest": "unirest.txtar", "java-rest-assured": "restassured.txtar"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			arguments := append([]string{"-nowarn", "-proc:none", "-d", filepath.Join(dir, "out")}, typesOf(t, types, dir)...)
			programs := composed(t, name, "com.fasterxml")
			for place, program := range programs {
				arguments = append(arguments, saveSource(t, filepath.Join(dir, place), "Main.java", "package "+place+";\n"+program))
			}
			if len(programs) < 100 {
				t.Fatalf("%d programs", len(programs))
			}
			if out, err := exec.Command("javac", arguments...).CombinedOutput(); err != nil || strings.Contains(string(out), "warning") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
