# The service as an image that holds one file.
#
#   docker build -t uncoil .
#   docker run --rm -p 8080:8080 --read-only --cap-drop ALL --security-opt no-new-privileges uncoil

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN go generate ./web
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=auto -ldflags='-s -w -buildid=' -o /uncoil ./cmd/uncoil

FROM scratch
COPY --from=build /uncoil /uncoil
USER 65532:65532
ENV UNCOIL_ADDR=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s CMD ["/uncoil", "health"]
ENTRYPOINT ["/uncoil"]
CMD ["serve"]
