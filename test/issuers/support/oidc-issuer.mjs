// A certified OpenID provider (the package oidc-provider) as an issuer on loopback. Reads its certificate and clients from
// standard input as JSON, perhaps with a port, prints its port, and ends when standard input does.
import { once } from 'node:events';
import { createServer } from 'node:https';
import { createInterface } from 'node:readline';

import { Provider } from 'oidc-provider';

const input = createInterface(process.stdin).on('close', () => process.exit());
const [text] = await once(input, 'line');
const { certificate, clients, lifetimeSec, port: wanted = 0 } = JSON.parse(text);

const server = createServer(certificate);
await new Promise((resolve) => server.listen(wanted, '127.0.0.1', resolve));
const { port } = server.address();
const provider = new Provider(`https://127.0.0.1:${port}`, {
  clients: clients.map((client) => ({
    ...client,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    introspection_endpoint_auth_method: client.token_endpoint_auth_method,
  })),
  scopes: ['read', 'write'],
  ttl: { ClientCredentials: lifetimeSec },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'read write',
        audience: resource,
        accessTokenTTL: lifetimeSec,
        accessTokenFormat: 'opaque',
      }),
    },
  },
});
let requests = 0;
const handle = provider.callback();
server.on('request', (request, response) => {
  if (request.url === '/requests') return response.end(String(requests));
  if (request.url === '/token') requests += 1;
  return handle(request, response);
});
console.log(port);
