# docker build -t castellan . && docker run -d -p 8000:8000 -v castellan:/data -e BASIC_AUTH=true -e USERNAME=… -e PASSWORD=… castellan
FROM node:20-bookworm-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0 AS build
WORKDIR /castellan
# For the version line: --build-arg SOURCE_COMMIT=$(git rev-parse --short=8 HEAD) --build-arg SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
ARG SOURCE_COMMIT SOURCE_DATE_EPOCH
COPY . .
RUN npx --yes bun@1.4.5 install --frozen-lockfile && npx --yes bun@1.4.5 run build

FROM debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716
RUN useradd --uid 1000 --create-home --home-dir /data castellan
COPY --from=build /castellan/dist/castellan /usr/local/bin/castellan
USER castellan
VOLUME /data
# Reachable from the network, so it starts only with a way to sign in, or with ALLOW_OPEN=true: then everybody is the admin.
ENV DATA_DIRECTORY=/data HOST=0.0.0.0 BUN_GC_TIMER_DISABLE=1
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s --retries=3 CMD ["castellan", "health"]
ENTRYPOINT ["castellan"]
