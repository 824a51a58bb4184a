# syntax=docker/dockerfile:1
#
# The laptop system in a container, for the cloud assembly of a CDK app, from the packed package (`npm run pack`, or the tarball
# of a release):
#
#   docker build --file tools/containers/laptop.Dockerfile --tag latchkey-laptop .
#   docker run --rm --init --network host --volume "$PWD/cdk.out:/assembly:ro" latchkey-laptop
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
# A folder in the volume, since a run removes its own when it ends. `docker exec … latchkey status --local` finds it too.
ENV PATH=/opt/latchkey/node_modules/.bin:$PATH \
  LATCHKEY_STATE_DIR=/run/latchkey/state
USER node
WORKDIR /home/node
# Others that share the volume read local.json and the CA certificate there. Declared here, so that it is the user's on ECS too.
VOLUME ["/run/latchkey"]
# Healthy once it serves. The log's line `ready` says that credentials are loaded and tokens fetched.
HEALTHCHECK --interval=5s --timeout=3s --start-period=120s \
  CMD ["node", "-e", "const { aws } = JSON.parse(require('fs').readFileSync(process.env.LATCHKEY_STATE_DIR + '/local.json')); fetch(aws.endpoint).then(() => process.exit(0), () => process.exit(1))"]
CMD ["latchkey", "local", "start", "--assembly", "/assembly"]
