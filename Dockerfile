# docker build -t castellan . && docker run -d -p 8000:8000 -v castellan:/data -e BASIC_AUTH=true -e USERNAME=… -e PASSWORD=… castellan
FROM node:20-bookworm-slim AS build
WORKDIR /castellan
# For the version line: --build-arg SOURCE_COMMIT=$(git rev-parse --short=8 HEAD) --build-arg SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
ARG SOURCE_COMMIT SOURCE_DATE_EPOCH
COPY . .
RUN npx --yes bun@1.4.5 install --frozen-lockfile && npx --yes bun@1.4.5 run build

FROM debian:bookworm-slim
RUN useradd --uid 1000 --create-home --home-dir /data castellan
COPY --from=build /castellan/dist/castellan /usr/local/bin/castellan
USER castellan
VOLUME /data
# Reachable from the network, so set up a way to sign in: without one everybody is the admin.
ENV DATA_DIRECTORY=/data HOST=0.0.0.0
EXPOSE 8000
STOPSIGNAL SIGTERM
ENTRYPOINT ["castellan"]
