import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { HttpsTokenIssuer } from '../../../lambdas/shared/adapters/https-token-issuer';
import { correctedClock } from '../../../lambdas/shared/adapters/secrets-manager-client';
import { deploymentOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const HOUR_MS = 60 * MINUTE_MS;
const LIFE_MS = HOUR_MS;
/** How much too late a stored expiry may be: what is left to the platform's Date header, which may be wrong too. */
const TOLERANCE_MS = 301_000;

const httpDate = (ms: number) => new Date(ms).toUTCString();

/** Secrets Manager with the true time, which refuses signatures that are five minutes off. */
function secretsManager(signedAtMs: () => number): SecretsManagerClient {
  const headers = { date: httpDate(NOON_MS), 'content-type': 'application/x-amz-json-1.1' };
  return new SecretsManagerClient({
    region: 'eu-west-2',
    credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    requestHandler: {
      handle: async () => {
        const isRefused = Math.abs(signedAtMs() - NOON_MS) >= 5 * MINUTE_MS;
        const answer = isRefused ? { __type: 'InvalidSignatureException' } : { SecretString: 'value' };
        const body = Buffer.from(JSON.stringify(answer));
        return { response: { statusCode: isRefused ? 403 : 200, headers, body } };
      },
    },
  });
}

/** When the token expires that a machine with a wrong clock requests just after it read a secret, against the truth. */
async function errorOfExpiryMs(skewMs: number, platformDate: string | undefined): Promise<number> {
  jest.spyOn(Date, 'now').mockReturnValue(NOON_MS + skewMs);
  const client: SecretsManagerClient = secretsManager(
    () => NOON_MS + skewMs + client.config.systemClockOffset,
  );
  await client.send(new GetSecretValueCommand({ SecretId: 'credential' }));
  const issuer = new HttpsTokenIssuer(deploymentOf([]), correctedClock(client), async () => ({
    status: 200,
    headers: { date: platformDate },
    body: JSON.stringify({ access_token: 'token', token_type: 'Bearer', expires_in: LIFE_MS / 1000 }),
  }));
  const { expiresAtMs } = await issuer.requestToken({
    tenantId: 'eu-west-2_Acme',
    tokenType: { interface: 'content', scope: 'api/read' },
    clientId: 'id',
    clientSecret: 'secret',
    timeoutMs: 5_000,
  });
  return expiresAtMs - (NOON_MS + LIFE_MS);
}

afterEach(() => jest.restoreAllMocks());

const SKEWS: [string, number][] = [
  ['right', 0],
  ['ahead by 4 minutes', 4 * MINUTE_MS],
  ['ahead by 301 s', 301_000],
  ['ahead by 12 hours', 12 * HOUR_MS],
  ['behind by 12 hours', -12 * HOUR_MS],
];

describe.each(SKEWS)('the expiry of a token, by a clock that is %s,', (_, skewMs) => {
  test.each<[string, string | undefined]>([
    ['right', httpDate(NOON_MS)],
    ['absent', undefined],
    ['behind by 12 hours', httpDate(NOON_MS - 12 * HOUR_MS)],
    ['ahead by 12 hours', httpDate(NOON_MS + 12 * HOUR_MS)],
  ])('is within 301 s of the truth if the Date of the platform is %s', async (_of, platformDate) => {
    expect(Math.abs(await errorOfExpiryMs(skewMs, platformDate))).toBeLessThan(TOLERANCE_MS);
  });
});
