import { createSandbox, type Sandbox, type SandboxIssuer } from 'learning-platform-sandbox';
import { type IssuerProfile } from '../../../../core/issuers/issuer-profile';
import { tokenRequestOf } from '../../../../core/issuers/token-request';
import { interpretTokenAnswer } from '../../../../core/tokens/token-answer';
import { readShelfProfile } from '../../../../lib/options/issuer-shelf';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';
import { DOCUMENTED_EXCHANGES } from './documented-exchanges';

const PROFILES = DOCUMENTED_EXCHANGES.map(
  ({ issuer, token }) => [issuer, readShelfProfile(issuer)!, token] as const,
);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    issuers: PROFILES.map(([, profile, { tenantId }]) => ({ profile, tenants: [{ tenantId }] })),
    nowMs: () => NOON_MS,
  });
});
afterAll(() => sandbox.stop());

// The sandbox reads profiles by itself, so that a misreading of a profile does not prove itself.
describe.each(PROFILES)('on the sandbox, %s', (name, profile: IssuerProfile, token) => {
  const served = (): SandboxIssuer => sandbox.issuers.find((issuer) => issuer.name === name)!;
  const request = async (change: Partial<typeof token> = {}) => {
    const { tokenBaseUrl, tenants } = served();
    const wanted = { ...token, ...tenants[0].clientCredentials, ...change };
    const { url, headers, body } = tokenRequestOf(profile, tokenBaseUrl, wanted);
    const answer = await sandbox.fetch(url, { method: 'POST', headers, body });
    const received = { status: answer.status, headers: {}, body: await answer.text() };
    return interpretTokenAnswer(received, wanted, NOON_MS, profile);
  };

  it('issues a token that is accepted', async () => {
    const { accessToken, isLifeAssumed } = await request();
    const headers = { authorization: `Bearer ${accessToken}` };
    const { status } = await sandbox.fetch(served().whoamiUrl, { headers });

    expect(status).toBe(200);
    expect(isLifeAssumed).toBe(false);
  });

  it('refuses a wrong secret', async () => {
    await expect(request({ clientSecret: 'wrong' })).rejects.toMatchObject({ code: 'credential_refused' });
  });

  if (token.scope !== '') {
    it('refuses a scope', async () => {
      await expect(request({ scope: '"' })).rejects.toMatchObject({ code: 'scope_refused' });
    });
  }
});
