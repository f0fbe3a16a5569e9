# The command line of Lectern; docs/deploy.md shows how to run it. Mount a project at /work.
FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY scripts ./scripts
COPY templates/locales ./templates/locales
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /opt/lectern
COPY --from=build /src/package.json ./
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/lib ./lib
COPY scripts/lectern.mjs ./scripts/
COPY templates ./templates
COPY docs/openapi.json ./docs/
RUN ln -s /opt/lectern/scripts/lectern.mjs /usr/local/bin/lectern
USER node
WORKDIR /work
ENTRYPOINT ["lectern"]
CMD ["build"]
