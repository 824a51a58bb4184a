# syntax=docker/dockerfile:1
#
# The sandbox in a container, from the packed package (`npm run pack`, or the tarball of a release):
#
#   docker build --file tools/containers/sandbox.Dockerfile --tag latchkey-sandbox .
#   docker run --rm --init --network host latchkey-sandbox
#
# A tag moves, and gets Node's security fixes. To build from the same base each time, note its digest and pass it on:
#
#   DIGEST=$(docker buildx imagetools inspect node:24-slim --format '{{.Manifest.Digest}}')
#   docker build --build-arg NODE="node:24-slim@$DIGEST" …
ARG NODE=node:24-slim

FROM ${NODE} AS install
ARG TARBALL=latchkey-*.tgz
WORKDIR /opt/latchkey
COPY ${TARBALL} ./latchkey.tgz
RUN npm install --ignore-scripts --omit=dev --omit=optional --omit=peer --no-audit --no-fund --no-save --no-package-lock ./latchkey.tgz

FROM ${NODE}
COPY --from=install /opt/latchkey/node_modules /opt/latchkey/node_modules
RUN install -d -o node -g node /run/latchkey
ENV PATH=/opt/latchkey/node_modules/.bin:$PATH
USER node
WORKDIR /home/node
# Others that share the volume read the CA certificate there. Declared here, so that it is the user's on ECS too.
VOLUME ["/run/latchkey"]
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "require('https').get('https://127.0.0.1:8443/_sandbox/addresses', { ca: require('fs').readFileSync('/run/latchkey/ca.pem') }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["latchkey", "sandbox", "--port", "8443", "--ca-file", "/run/latchkey/ca.pem"]
