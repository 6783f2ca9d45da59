# Flagfall in an image of its own: one static program and the certificates that a database over TLS is checked with.
# The web client is built already (web/dist), so Go alone is needed.
FROM golang:1.26.8-bookworm AS build
WORKDIR /source
COPY go.mod go.sum ./
RUN go mod download
COPY clock clock
COPY game game
COPY server server
COPY web/web.go web/web.go
COPY web/dist web/dist
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/flagfall ./server
RUN mkdir /out/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/flagfall /flagfall
# A volume that is new has the owner of the folder that it covers.
COPY --from=build --chown=65532:65532 /out/data /data
ENV FLAGFALL_DATA=/data FLAGFALL_OPS=127.0.0.1:9090
VOLUME /data
EXPOSE 8080
USER 65532:65532
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=3 CMD ["/flagfall", "healthcheck"]
ENTRYPOINT ["/flagfall"]
