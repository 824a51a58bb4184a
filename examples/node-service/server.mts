import { createServer, type ServerResponse } from 'node:http';

import { createTokenSource, TokenUnavailableError, type TokenKey } from 'latchkey/client';

const { TENANT_ID = '', CONTENT_BASE_URL = '', TOKEN_REFRESH_ARN, PORT = '8080' } = process.env;

// One for the whole process: it keeps tokens in memory, and all requests share its reads and renewals.
const source = createTokenSource({ tokenRefresh: TOKEN_REFRESH_ARN });
const key: TokenKey = {
  environment: 'staging',
  platformRegion: 'global',
  tenantId: TENANT_ID,
  interface: 'content',
  scope: 'api/read',
};

/** Answers with the tenant's contents. */
async function answer(response: ServerResponse): Promise<void> {
  try {
    const contents = await source.authorizedFetch(key, `${CONTENT_BASE_URL}/contents`);
    const body = await contents.text();
    response.writeHead(contents.ok ? 200 : 502, { 'content-type': 'application/json' }).end(body);
  } catch (error) {
    const { message } = error as Error;
    console.error(error instanceof TokenUnavailableError ? `${error.code}: ${message}` : message);
    response.writeHead(503).end();
  }
}

const server = createServer((_request, response) => void answer(response));
server.listen(Number(PORT), '127.0.0.1', () => console.log('ready', server.address()));
process.once('SIGTERM', () => server.close());
