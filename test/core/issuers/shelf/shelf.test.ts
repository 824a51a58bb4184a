import { type IssuerProfile } from '../../../../core/issuers/issuer-profile';
import { tokenRequestOf } from '../../../../core/issuers/token-request';
import { interpretTokenAnswer } from '../../../../core/tokens/token-answer';
import { basesOf } from '../../../../lib/options/issuer-rules';
import { parseConfiguration } from '../../../../lib/options/load';
import { readShelfProfile, shelfNames } from '../../../../lib/options/issuer-shelf';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';
import { DOCUMENTED_EXCHANGES, type DocumentedExchange } from './documented-exchanges';

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

const keyOf = ({ where = {} }: DocumentedExchange) => ({
  environment: where.environment ?? 'production',
  platformRegion: where.region,
});

const profileOf = (name: string): IssuerProfile => readShelfProfile(name)!;

it('has an exchange for each profile', () => {
  expect(DOCUMENTED_EXCHANGES.map(({ issuer }) => issuer).sort()).toEqual(shelfNames());
});

describe.each(DOCUMENTED_EXCHANGES.map((exchange) => [exchange.issuer, exchange] as const))(
  '%s',
  (issuer, exchange) => {
    const profile = profileOf(issuer);
    const interpret = (status: number, body: string) =>
      interpretTokenAnswer({ status, headers: {}, body }, exchange.token, NOON_MS, profile);

    it('gets the documented request', () => {
      const { url, contentType, authorization, body } = exchange.request;

      expect(tokenRequestOf(profile, basesOf(profile, keyOf(exchange))[0]!.url, exchange.token)).toEqual({
        url,
        headers: {
          'content-type': contentType,
          accept: 'application/json',
          ...(authorization !== undefined && { authorization }),
        },
        body,
      });
    });

    it('grants a token with the documented answer', () => {
      const { body, accessToken, lifeSec } = exchange.granted;

      expect(interpret(200, body)).toMatchObject({
        accessToken,
        expiresAtMs: NOON_MS + lifeSec * 1000,
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
  },
);

it.each(DOCUMENTED_EXCHANGES.map((exchange) => [exchange.issuer, exchange] as const))(
  'a deployment can have the issuer %s',
  (issuer, exchange) => {
    const { tenantId, parameters, scope } = exchange.token;
    const tenant = {
      tenantId,
      ...(Object.keys(parameters).length > 0 && { parameters }),
      tokens: [{ scope }],
    };
    const deployment = { issuer, ...keyOf(exchange), tenants: [tenant] };

    expect(() => parseConfiguration({ deployments: [deployment] }, issuer)).not.toThrow();
  },
);

describe.each(shelfNames())('the sources of %s', (name) => {
  const { sources = [] } = profileOf(name);

  it('say what each fact rests on', () => {
    const covered = sources.flatMap(({ of }) => of);
    const rest = FACTS.filter(
      (fact) => !covered.some((field) => fact === field || fact.startsWith(`${field}.`)),
    );

    expect(rest).toEqual([]);
  });

  it('have a page and a date if they are documented', () => {
    for (const { basis, page, date } of sources) {
      if (page !== undefined) expect(page).toMatch(/^https:\/\//);
      if (page !== undefined || basis !== 'assumed') expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      if (basis === 'documented') expect(page).toBeDefined();
    }
  });
});
