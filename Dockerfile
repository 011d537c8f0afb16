# The service as an image that holds one file.
#
#   docker build -t uncoil .
#   docker run --rm -p 8080:8080 --read-only --cap-drop ALL --security-opt no-new-privileges uncoil
#
# For several systems Go builds on this one:
#
#   docker buildx build --platform linux/amd64,linux/arm64 -t uncoil .

FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build go generate ./web
ARG TARGETOS TARGETARCH
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=auto -ldflags='-s -w -buildid=' -o /uncoil ./cmd/uncoil

FROM scratch
LABEL org.opencontainers.image.title="uncoil" \
      org.opencontainers.image.description="Turns a curl command into the HTTP request that curl would send" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /uncoil /uncoil
USER 65532:65532
ENV UNCOIL_ADDR=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s CMD ["/uncoil", "health"]
ENTRYPOINT ["/uncoil"]
CMD ["serve"]
