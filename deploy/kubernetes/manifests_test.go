package kubernetes

import (
	"os"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// manifests are what uncoil.yaml has, one of each kind.
type manifests struct {
	deployment appsv1.Deployment
	service    corev1.Service
	autoscaler autoscalingv2.HorizontalPodAutoscaler
	budget     policyv1.PodDisruptionBudget
	network    networkingv1.NetworkPolicy
}

func readManifests(t *testing.T) *manifests {
	t.Helper()
	text, err := os.ReadFile("uncoil.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m := new(manifests)
	kinds := map[string]any{
		"apps/v1 Deployment": &m.deployment, "v1 Service": &m.service,
		"autoscaling/v2 HorizontalPodAutoscaler": &m.autoscaler,
		"policy/v1 PodDisruptionBudget":          &m.budget,
		"networking.k8s.io/v1 NetworkPolicy":     &m.network,
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var head struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal([]byte(document), &head); err != nil {
			t.Fatal(err)
		}
		name := head.APIVersion + " " + head.Kind
		into, ok := kinds[name]
		if !ok {
			t.Fatalf("there is a %s, which is unknown or there twice", name)
		}
		delete(kinds, name)
		// Strict: an unknown or doubled member is an error.
		if err := yaml.UnmarshalStrict([]byte(document), into); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name := range kinds {
		t.Errorf("%s is missing", name)
	}
	return m
}

// They belong together: each selects the pods of the deployment, and the
// ports have the names that the others use.
func TestManifestsAgree(t *testing.T) {
	m := readManifests(t)
	labels := m.deployment.Spec.Template.Labels
	selectors := map[string]map[string]string{
		"Deployment": m.deployment.Spec.Selector.MatchLabels, "Service": m.service.Spec.Selector,
		"PodDisruptionBudget": m.budget.Spec.Selector.MatchLabels, "NetworkPolicy": m.network.Spec.PodSelector.MatchLabels,
	}
	for kind, selector := range selectors {
		if len(selector) == 0 {
			t.Errorf("the %s selects everything", kind)
		}
		for name, value := range selector {
			if labels[name] != value {
				t.Errorf("the %s does not select the pods of the Deployment: %v", kind, selector)
			}
		}
	}
	target := m.autoscaler.Spec.ScaleTargetRef
	if target.Kind != "Deployment" || target.APIVersion != "apps/v1" || target.Name != m.deployment.Name {
		t.Errorf("the HorizontalPodAutoscaler scales %+v", target)
	}
	if m.deployment.Spec.Replicas != nil {
		t.Error("the Deployment sets a number of replicas, which each apply would force on the autoscaler")
	}
	var ports []string
	for _, p := range container(t, m).Ports {
		ports = append(ports, p.Name)
	}
	used := []string{m.service.Spec.Ports[0].TargetPort.StrVal}
	for _, rule := range m.network.Spec.Ingress {
		for _, p := range rule.Ports {
			used = append(used, p.Port.StrVal)
		}
	}
	for _, name := range used {
		if !slices.Contains(ports, name) {
			t.Errorf("the port %q is missing", name)
		}
	}
}

func container(t *testing.T, m *manifests) corev1.Container {
	t.Helper()
	containers := m.deployment.Spec.Template.Spec.Containers
	if len(containers) != 1 {
		t.Fatalf("%d containers", len(containers))
	}
	return containers[0]
}

// The pod has no right that it does not need.
func TestPodIsFenced(t *testing.T) {
	m := readManifests(t)
	pod, c := m.deployment.Spec.Template.Spec, container(t, m)
	is := func(p *bool, want bool) bool { return p != nil && *p == want }
	own, all := c.SecurityContext, pod.SecurityContext
	for what, ok := range map[string]bool{
		"read-only root":             is(own.ReadOnlyRootFilesystem, true),
		"no privilege escalation":    is(own.AllowPrivilegeEscalation, false),
		"no capabilities":            slices.Equal(own.Capabilities.Drop, []corev1.Capability{"ALL"}) && len(own.Capabilities.Add) == 0,
		"not root":                   is(all.RunAsNonRoot, true) && all.RunAsUser != nil && *all.RunAsUser > 0,
		"seccomp":                    all.SeccompProfile != nil && all.SeccompProfile.Type == corev1.SeccompProfileTypeRuntimeDefault,
		"no token of the cluster":    is(pod.AutomountServiceAccountToken, false),
		"no volumes":                 len(pod.Volumes) == 0,
		"limits":                     !c.Resources.Limits.Memory().IsZero() && !c.Resources.Requests.Cpu().IsZero(),
		"probes":                     c.ReadinessProbe.HTTPGet.Path == "/readyz" && c.LivenessProbe.HTTPGet.Path == "/healthz",
		"probes clients cannot hurt": c.ReadinessProbe.HTTPGet.Port.StrVal == "metrics" && c.LivenessProbe.HTTPGet.Port.StrVal == "metrics" && c.StartupProbe.HTTPGet.Port.StrVal == "metrics",
		"no egress":                  len(m.network.Spec.Egress) == 0 && slices.Contains(m.network.Spec.PolicyTypes, networkingv1.PolicyTypeEgress),
		"one at least stays, always": m.budget.Spec.MaxUnavailable.IntValue() == 1 && *m.autoscaler.Spec.MinReplicas >= 2,
	} {
		if !ok {
			t.Errorf("not so: %s", what)
		}
	}
}
