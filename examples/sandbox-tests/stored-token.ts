import { type TokenKey, type TokenSourceOptions } from 'latchkey/client';
import { type Sandbox } from 'latchkey/sandbox';

/** Stands in for AWS: each read of the secret finds a token that the sandbox has just issued. */
export function storedToken(sandbox: Sandbox, key: TokenKey): TokenSourceOptions['secretsManager'] {
  const send = async () => ({ SecretString: JSON.stringify(await newToken(sandbox, key)) });
  return { send: send as never };
}

async function newToken(sandbox: Sandbox, key: TokenKey): Promise<object> {
  const { clientCredentials } = sandbox.tenants.find(({ tenantId }) => tenantId === key.tenantId)!;
  const answer = await sandbox.fetch(
    `${sandbox.addresses(key).contentTokenBaseUrl}/oauth2/token/${key.tenantId}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: clientCredentials.clientId,
        client_secret: clientCredentials.clientSecret,
        scope: key.scope,
      }),
    },
  );
  const token = (await answer.json()) as { access_token: string; expires_in: number };
  return {
    ...key,
    accessToken: token.access_token,
    tokenType: 'Bearer',
    issuedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + token.expires_in * 1000).toISOString(),
    credentialVersionId: 'of-the-sandbox',
  };
}
