import { createSandbox, type Sandbox } from 'learning-platform-sandbox';

import { tokenRequestOf } from '../../../../core/issuers/token-request';
import { interpretTokenAnswer } from '../../../../core/tokens/token-answer';
import { basesOf } from '../../../../lib/options/issuer-rules';
import { parseConfiguration } from '../../../../lib/options/load';
import { readShelfProfile, shelfNames } from '../../../../lib/options/issuer-shelf';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';
import { DOCUMENTED_EXCHANGES } from './documented-exchanges';

/** Facts that each profile has, by itself or by their defaults. */
const FACTS = [
  'tokenEndpoint.bases',
  'tokenEndpoint.path',
  'request.body',
  'request.clientAuthentication',
  'request.fields',
  'answer.lifetimeSec',
  'errors',
];

const EXCHANGES = DOCUMENTED_EXCHANGES.map((exchange) => ({
  ...exchange,
  profile: readShelfProfile(exchange.issuer)!,
  deploymentKey: {
    environment: exchange.where?.environment ?? 'production',
    platformRegion: exchange.where?.region,
  },
}));

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    issuers: EXCHANGES.map(({ profile, token: { tenantId } }) => ({ profile, tenants: [{ tenantId }] })),
    nowMs: () => NOON_MS,
  });
});
afterAll(() => sandbox.stop());

it('has an exchange for each profile', () => {
  expect(EXCHANGES.map(({ issuer }) => issuer).sort()).toEqual(shelfNames());
});

describe.each(EXCHANGES)('$issuer', (exchange) => {
  const { issuer, profile, deploymentKey, token, request, granted } = exchange;
  const interpret = (status: number, body: string) =>
    interpretTokenAnswer({ status, headers: {}, body }, token, NOON_MS, profile);

  it('gets the documented request', () => {
    const [base] = basesOf(profile, deploymentKey);

    expect(tokenRequestOf(profile, base!.url, token)).toEqual({
      url: request.url,
      headers: {
        'content-type': request.body.startsWith('{')
          ? 'application/json'
          : 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(request.authorization !== undefined && { authorization: request.authorization }),
      },
      body: request.body,
    });
  });

  it('grants a token with the documented answer', () => {
    const { access_token: accessToken } = JSON.parse(granted.body) as { access_token: string };

    expect(interpret(200, granted.body)).toMatchObject({
      accessToken,
      expiresAtMs: NOON_MS + granted.lifeSec * 1000,
      isLifeAssumed: false,
    });
  });

  const { refusedCredential, refusedScope } = exchange;
  it.each([
    ['credential_refused', refusedCredential] as const,
    ...(refusedScope === undefined ? [] : [['scope_refused', refusedScope] as const]),
  ])('throws %s with the documented answer', (code, { status, body }) => {
    expect(() => interpret(status, body)).toThrow(expect.objectContaining({ code }) as Error);
  });

  // The sandbox reads profiles by itself, so that a misreading of a profile does not prove itself.
  it('gets a token that is accepted on the sandbox, and is refused with a wrong secret or scope', async () => {
    const served = sandbox.issuers.find(({ name }) => name === issuer)!;
    const requested = async (change: Partial<typeof token>) => {
      const wanted = { ...token, ...served.tenants[0].clientCredentials, ...change };
      const { url, headers, body } = tokenRequestOf(profile, served.tokenBaseUrl, wanted);
      const answer = await sandbox.fetch(url, { method: 'POST', headers, body });
      return interpret(answer.status, await answer.text());
    };

    const { accessToken, isLifeAssumed } = await requested({});
    const headers = { authorization: `Bearer ${accessToken}` };

    expect((await sandbox.fetch(served.whoamiUrl, { headers })).status).toBe(200);
    expect(isLifeAssumed).toBe(false);
    await expect(requested({ clientSecret: 'wrong' })).rejects.toMatchObject({ code: 'credential_refused' });
    if (token.scope !== '') {
      await expect(requested({ scope: '"' })).rejects.toMatchObject({ code: 'scope_refused' });
    }
  });

  it('can be the issuer of a deployment', () => {
    const { tenantId, parameters, scope } = token;
    const hasParameters = Object.keys(parameters).length > 0;
    const tenant = { tenantId, ...(hasParameters && { parameters }), tokens: [{ scope }] };
    const deployment = { issuer, ...deploymentKey, tenants: [tenant] };

    expect(() => parseConfiguration({ deployments: [deployment] }, issuer)).not.toThrow();
  });

  it('says what each fact rests on, with a page and a date if it is documented', () => {
    const { sources = [] } = profile;
    const covered = sources.flatMap(({ of }) => of);

    expect(
      FACTS.filter((fact) => !covered.some((field) => fact === field || fact.startsWith(`${field}.`))),
    ).toEqual([]);
    for (const { basis, page, date } of sources) {
      if (page !== undefined) expect(page).toMatch(/^https:\/\//);
      if (page !== undefined || basis !== 'assumed') expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      if (basis === 'documented') expect(page).toBeDefined();
    }
  });
});
