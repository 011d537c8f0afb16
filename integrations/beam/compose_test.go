package beam

import (
	"context"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core"
	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// The compose file is one by the schema of its specification, and its images are
// those of the version of Beam that this module has.
func TestCompose(t *testing.T) {
	details := types.ConfigDetails{WorkingDir: ".", ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml"}}}
	project, err := loader.LoadWithContext(context.Background(), details)
	if err != nil {
		t.Fatal(err)
	}
	version := core.SdkVersion
	for _, service := range project.Services {
		name, tag, _ := strings.Cut(service.Image, ":")
		if strings.HasPrefix(name, "apache/beam_") && tag != version {
			t.Errorf("%s has the image %s, but Beam is %s", service.Name, service.Image, version)
		}
	}
	// The job server and the workers must be for the Flink that runs.
	flink, _, _ := strings.Cut(strings.TrimPrefix(project.Services["jobmanager"].Image, "flink:"), "-")
	if !strings.HasPrefix(project.Services["jobserver"].Image, "apache/beam_flink"+flink+"_") {
		t.Errorf("the job server is %s for Flink %s", project.Services["jobserver"].Image, flink)
	}
}
