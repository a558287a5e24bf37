# The product as one image. Build: docker build -t hearth . Its data are in PostgreSQL and a bucket; /data holds what one
# instance needs for a moment, so the file system itself may be read-only.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN node scripts/build-web.ts && npm prune --omit=dev && npm cache clean --force

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json /app/openapi.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
# As they were when the pages were built from them: pruning writes the lockfile anew, and other files would mean other pages.
COPY --chown=root:root vite.config.ts react-router.config.ts package-lock.json ./
COPY --from=build --chown=root:root /app/build ./build
COPY --from=build --chown=root:root /app/src ./src
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/server/main.ts"]
