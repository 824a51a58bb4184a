import { Latchkey } from '../../lib';
import { readShelfProfile } from '../../lib/options/issuer-shelf';
import { parseConfiguration } from '../../lib/options/load';
import { ACCOUNT_ID, REGION } from '../support/lib/configuration';
import { learningStack } from '../support/lib/learning';
import { synthesizeOnce } from '../support/lib/synthesis';

const TENANT = {
  tenantId: 'acme',
  parameters: { host: 'acme.eu.auth0.com', audience: 'https://api.example.com' },
  tokens: [{ scope: 'read:users write:users' }, { interface: 'billing' }],
};
const OPTIONS = {
  issuer: 'auth0',
  environment: 'production',
  tenants: [TENANT],
  alarms: { emails: ['operations@example.com'] },
};
const DEPLOYMENT = { ...OPTIONS, account: ACCOUNT_ID, region: REGION };

const synthesisOf = (deployment: object) =>
  synthesizeOnce(parseConfiguration({ deployments: [deployment] }, 'test'));

describe('a deployment of another issuer', () => {
  const synthesis = synthesisOf(DEPLOYMENT);
  const named = (type: string, property = 'Name') =>
    synthesis.properties(type).map((properties) => properties[property]);

  it('has names with the issuer and without a region', () => {
    expect(synthesis.stackNames()).toEqual(['latchkey-auth0-production', 'latchkey-auth0-production-acme']);
    expect(named('AWS::SecretsManager::Secret')).toEqual([
      'latchkey/auth0/production/acme/client-credentials',
      'latchkey/auth0/production/acme/token/api/read=3Ausers+write=3Ausers',
      'latchkey/auth0/production/acme/token/billing',
    ]);
    for (const name of named('AWS::SSM::Parameter'))
      expect(name).toMatch(/^\/latchkey\/auth0\/production\/[a-z-]+$/);
    for (const name of named('AWS::CloudWatch::Alarm', 'AlarmName'))
      expect(name).toMatch(/^latchkey-auth0-production\/[a-z-]+(\/[a-z-]+)?$/);
  });

  it('has no region, no restore API, and nothing else of the learning platform', () => {
    const texts = synthesis
      .stackNames()
      .map((name) => JSON.stringify(synthesis.template(name)))
      .join();
    const aroundOf = (word: string) => texts.match(new RegExp(`.{0,80}${word}.{0,20}`))?.[0];

    for (const word of [
      ...['global', 'undefined', 'platformRegion', 'restore'],
      ...['api-key', 'ApiKey', 'authorizer', 'AWS::ApiGateway', 'he platform'],
    ])
      expect(aroundOf(word)).toBeUndefined();
  });

  it('alarms by its own dimensions', () => {
    const dimensions = synthesis
      .properties('AWS::CloudWatch::Alarm')
      .flatMap(({ Dimensions = [] }) => Dimensions as { Name: string; Value: string }[])
      .filter(({ Name }) => Name === 'issuer');

    expect(new Set(dimensions.map(({ Value }) => Value))).toEqual(new Set(['auth0']));
  });
});

test('regions of an issuer are part of names', () => {
  const tenants = [{ tenantId: 'acme', tokens: [{ scope: 'users:read' }] }];
  const synthesis = synthesisOf({ ...DEPLOYMENT, issuer: 'degreed', platformRegion: 'eu', tenants });

  expect(synthesis.stackNames()).toEqual([
    'latchkey-degreed-production-eu',
    'latchkey-degreed-production-eu-acme',
  ]);
});

test('a construct takes a profile as an object', () => {
  const latchkey = new Latchkey(learningStack(), 'Auth0', { ...OPTIONS, issuer: readShelfProfile('auth0')! });

  expect([latchkey.issuer, latchkey.environment, latchkey.platformRegion]).toEqual([
    'auth0',
    'production',
    undefined,
  ]);
});
