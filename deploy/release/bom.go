package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeBOMs writes for each program what it consists of, as the Go toolchain
// recorded it in the program itself.
func (b *build) writeBOMs() error {
	for _, s := range b.systems {
		program, err := os.ReadFile(filepath.Join(b.dir, s.program()))
		if err != nil {
			return err
		}
		var out bytes.Buffer
		encoder := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true)
		if err := encoder.EncodeVersion(b.bom(s, program), cdx.SpecVersion1_6); err != nil {
			return err
		}
		if err := b.write(s.name()+".cdx.json", out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) bom(s system, program []byte) *cdx.BOM {
	info := b.info[s]
	sum := sha256.Sum256(program)
	main := cdx.Component{
		BOMRef: packageURL("uncoil", "v"+b.version), Type: cdx.ComponentTypeApplication, Name: "uncoil", Version: b.version,
		PackageURL:  packageURL("uncoil", "v"+b.version),
		Description: "Says which HTTP request a curl command sends",
		Hashes:      &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
		Licenses:    &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
		Properties:  &[]cdx.Property{{Name: "go:os", Value: s.os}, {Name: "go:arch", Value: s.arch}},
	}
	// The standard library is part of the program like any module.
	version := info.GoVersion[len("go"):]
	components := []cdx.Component{{
		BOMRef: packageURL("std", version), Type: cdx.ComponentTypeLibrary, Name: "std", Version: version, PackageURL: packageURL("std", version),
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "BSD-3-Clause"}}},
	}}
	needed := []string{components[0].BOMRef}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		ref := packageURL(module.Path, module.Version)
		components = append(components, cdx.Component{BOMRef: ref, Type: cdx.ComponentTypeLibrary, Name: module.Path, Version: module.Version, PackageURL: ref})
		needed = append(needed, ref)
	}
	bom := cdx.NewBOM()
	bom.SerialNumber = serialNumber(sum)
	bom.Metadata = &cdx.Metadata{Timestamp: b.time.UTC().Format(time.RFC3339), Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &needed}}
	return bom
}

// packageURL returns the package URL of a Go module
// (https://github.com/package-url/purl-spec).
func packageURL(path, version string) string { return "pkg:golang/" + path + "@" + version }

// serialNumber returns a UUID that is made of a hash (RFC 9562, version 8), so
// that the same program always has the same.
func serialNumber(sum [sha256.Size]byte) string {
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
