# eolgate as a container image: one program on a base without a shell, as a user without rights.
#   docker build . --tag eolgate
#   docker run --rm --read-only -v "$PWD:/work:ro" -w /work eolgate check bom.json
#   docker run --read-only -v data:/var/lib/eolgate -p 8080:8080 eolgate serve
# A release names the second one by its digest; the files of its first stage are built in a job of their own.
ARG BUILD_BASE=node:24-trixie-slim
ARG BASE=gcr.io/distroless/cc-debian13:nonroot

FROM $BUILD_BASE AS build
ARG TARGETARCH=amd64
WORKDIR /build
COPY . .
# Called without npm, so that the executable is made from the Node of this image and not from that of the development install.
RUN npm ci --no-audit --no-fund --ignore-scripts \
 && node tools/executable/build.ts \
 && node tools/executable/image-root.ts "/image/$TARGETARCH"

# The C library and libstdc++ of Debian 13, certificates, and the user nonroot.
FROM $BASE
ARG TARGETARCH=amd64
COPY --from=build /image/$TARGETARCH/usr /usr
COPY --from=build --chown=65532:65532 /image/$TARGETARCH/var/lib/eolgate /var/lib/eolgate
USER 65532:65532
ENV EOLGATE_HOST=0.0.0.0 \
    EOLGATE_DATA=/var/lib/eolgate \
    EOLGATE_CACHE=/var/lib/eolgate/cache \
    EOLGATE_METRICS_PORT=9464
VOLUME ["/var/lib/eolgate"]
EXPOSE 8080 9464
# exec form: SIGTERM reaches eolgate itself, which answers open requests before it exits.
ENTRYPOINT ["/usr/bin/eolgate"]
CMD ["serve"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["/usr/bin/eolgate", "doctor", "--service", "http://127.0.0.1:8080"]
