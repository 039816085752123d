# The service and the gateway. docs/serve.md says how it is run.
FROM node:24-slim AS build
ENV CI=true pnpm_config_verify_deps_before_run=false
WORKDIR /source
COPY . .
RUN npx -y pnpm@12.21.0 install --frozen-lockfile --filter palimpsest --filter "@palimpsest/cli..."
RUN npx -y pnpm@12.21.0 bundle
RUN npx -y pnpm@12.21.0 --filter @palimpsest/inspector build
RUN npx -y pnpm@12.21.0 --filter @palimpsest/cli deploy --prod --legacy /app

FROM node:24-slim
ENV NODE_ENV=production PALIMPSEST_HOME=/data
COPY --from=build /app /app
RUN install --directory --owner=node --group=node --mode=700 /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve", "--host", "0.0.0.0", "--store", "/data/sessions.db"]
