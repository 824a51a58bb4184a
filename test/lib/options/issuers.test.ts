import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Token } from 'aws-cdk-lib';

import { deploymentFileOf } from '../../../lib/options/compose-deployment-file';
import { optionsOf } from '../../../lib/options/checked-options';
import { parseConfiguration } from '../../../lib/options/load';
import { faultsOf } from '../../support/lib/faults';
import { temporaryFolder } from '../../support/lib/synthesis';

const auth0 = (change: object = {}) => ({
  issuer: 'auth0',
  environment: 'production',
  tenants: [
    {
      tenantId: 'acme',
      parameters: { host: 'acme.eu.auth0.com' },
      tokens: [{ scope: 'read:messages', parameters: { audience: 'https://api.example.com' } }],
    },
  ],
  alarms: { emails: ['operations@example.com'] },
  ...change,
});
const tenantWith = (change: object) => {
  const deployment = auth0();
  return { ...deployment, tenants: [{ ...deployment.tenants[0], ...change }] };
};
const fileOf = (deployment: object) => {
  const configuration = parseConfiguration({ deployments: [deployment] }, 'test');
  return deploymentFileOf(optionsOf(configuration, configuration.deployments[0]!));
};

test('a deployment of another issuer needs no addresses of the learning platform', () => {
  expect(fileOf(auth0())).toMatchObject({
    issuer: 'auth0',
    environment: 'production',
    profile: { tokenEndpoint: { bases: [{ url: 'https://{host}' }], path: '/oauth/token' } },
    platform: {},
    restoreApi: { acceptsApiKeys: false },
    tenants: [
      {
        tenantId: 'acme',
        parameters: { host: 'acme.eu.auth0.com' },
        tokens: [
          { interface: 'api', scope: 'read:messages', parameters: { audience: 'https://api.example.com' } },
        ],
        apiKey: false,
      },
    ],
  });
});

test('its functions carry the base URLs of its environment and region alone, and no sources', () => {
  const tenants = [{ tenantId: 'acme', tokens: [{ scope: 'users:read' }] }];
  const { profile } = fileOf(auth0({ issuer: 'degreed', platformRegion: 'eu', tenants }));

  expect(profile.tokenEndpoint.bases).toHaveLength(1);
  expect(profile).not.toHaveProperty('sources');
  expect(profile).not.toHaveProperty('environments');
});

test('readers may not cache a token whose validity renewals cannot guarantee', () => {
  const [deployment] = parseConfiguration({ deployments: [tenantOfLearn()] }, 'test').deployments;

  expect(deployment!.readerCacheSec).toBe(0);
});

function tenantOfLearn(change: object = {}) {
  const tenant = { tenantId: 'acme', parameters: { host: 'learn.example.edu' }, tokens: [{}] };
  return { ...auth0({ issuer: 'blackboard-learn' }), tenants: [tenant], ...change };
}

test.each(
  Object.entries({
    'issuer: found "auth-zero"; allowed: learning-platform, 360learning, auth0, ': auth0({
      issuer: 'auth-zero',
    }),
    'issuer: found "./missing.json"; allowed: the path of a readable JSON file, relative to the working directory':
      auth0({ issuer: './missing.json' }),
    'platformRegion: found "eu"; allowed: nothing: Auth0 has no regions': auth0({ platformRegion: 'eu' }),
    'environment: found "production"; allowed: live, sandbox': auth0({ issuer: 'paypal', tenants: [] }),
    'restoreApi: found an object; allowed: nothing: Auth0 has no restore': auth0({
      restoreApi: { enabled: true },
    }),
    'tenants[0].apiKey: found true; allowed: nothing: Auth0 has no api-keys': tenantWith({ apiKey: true }),
    'tenants[0].tokens[0].parameters: found an object; allowed: an object with host, or the same in parameters of the tenant':
      tenantWith({ parameters: undefined }),
    // It could lead elsewhere.
    'tenants[0].parameters.host: found "evil.example/acme.auth0.com"; allowed: a text that matches ':
      tenantWith({ parameters: { host: 'evil.example/acme.auth0.com' } }),
    'tenants[0].parameters.hots: found a field of this name; allowed: host, audience': tenantWith({
      parameters: { hots: 'acme.eu.auth0.com', host: 'acme.eu.auth0.com' },
    }),
    'tenants[0].tokens[0].scope: found "read, write "; allowed: scopes with single spaces between':
      tenantWith({ tokens: [{ scope: 'read, write ', parameters: { audience: 'x' } }] }),
    'fewer or shorter scopes: the name of the secret would be too long': tenantWith({
      tokens: [{ scope: 'x'.repeat(450), parameters: { audience: 'x' } }],
    }),
    'tenants[0].tokens[0].scope: found "list"; allowed: nothing: requests to Spotify name no scope': auth0({
      issuer: 'spotify',
      tenants: [{ tenantId: 'acme', tokens: [{ scope: 'list' }] }],
    }),
    'readerCacheSec: found 60; allowed: 0: renewals cannot guarantee any validity of the issuer’s tokens':
      tenantOfLearn({ readerCacheSec: 60 }),
    'tokenBaseUrl: found "http://gateway.example.com (scheme http)"; allowed: an https URL': auth0({
      tokenBaseUrl: 'http://gateway.example.com',
    }),
  }),
)('a deployment of another issuer is refused: %s', (fault, deployment) => {
  expect(faultsOf({ deployments: [deployment] })).toEqual([expect.stringContaining(fault)]);
});

test('a deployment of the learning platform has no other token endpoint than its addresses', () => {
  const deployment = { environment: 'staging', tokenBaseUrl: 'https://gateway.example.com' };

  expect(faultsOf({ endpoints: {}, deployments: [deployment] })).toContain(
    'deployments[0].tokenBaseUrl: found "https://gateway.example.com"; allowed: nothing: the learning platform has endpoints',
  );
});

test('a local deployment of another issuer needs an address on loopback', () => {
  expect(faultsOf({ local: true, deployments: [auth0({ alarms: undefined })] })).toEqual([
    'deployments[0].tokenBaseUrl: found nothing; allowed: an https URL on loopback with a port other than 443, because the configuration is local',
  ]);
});

describe('a profile of your own', () => {
  const LATE = Token.asString({ Ref: 'Audience' });
  const BASES = [{ url: 'https://id.example.com' }];
  const OWN = {
    name: 'acme-id',
    title: 'Acme ID',
    parameters: { realm: { description: 'The realm.' } },
    tokenEndpoint: { bases: BASES, path: '/{realm}/token' },
  };
  const withProfile = (issuer: string | object, realm = 'acme') =>
    auth0({
      issuer,
      tenants: [{ tenantId: 'acme', parameters: { realm }, tokens: [{ scope: 'read write' }] }],
    });
  const own = (change: object) => withProfile({ ...OWN, ...change });

  test.each(
    Object.entries({
      'issuer.name: found "staging"; allowed: a name other than learning-platform, staging, production': own({
        name: 'staging',
      }),
      'issuer.regions: found a list; allowed: regions other than global and mea, which the learning platform has':
        own({ regions: ['eu', 'global'] }),
      'issuer.tokenEndpoint.bases[0].url: found "http://id.example.com"; allowed: an https URL': own({
        tokenEndpoint: { bases: [{ url: 'http://id.example.com' }], path: '/token' },
      }),
      'issuer.tokenEndpoint.path: found "/{ream}/token"; allowed: the placeholders {tenantId}, {realm}': own({
        tokenEndpoint: { bases: BASES, path: '/{ream}/token' },
      }),
      'issuer.request.fields: found an object; allowed: fields with {clientSecret}': own({
        request: { fields: { grant_type: 'client_credentials' } },
      }),
      'issuer.request.fields: found an object; allowed: fields without {clientSecret}, which client_secret_basic sends':
        own({
          request: { clientAuthentication: 'client_secret_basic', fields: { secret: '{clientSecret}' } },
        }),
      'issuer.request.fields: found an object; allowed: texts, because the body is a form': own({
        request: { fields: { a: { b: '{clientSecret}' } } },
      }),
      'issuer.request.fields.audience: found "${Token[': own({
        request: { fields: { scope: '{scope}', secret: '{clientSecret}', audience: LATE } },
      }),
      'issuer.request.headers.Authorization: found': own({ request: { headers: { Authorization: 'x' } } }),
      'issuer.request.headers.X-App: found "a\\r\\nb"; allowed: ASCII characters without line breaks': own({
        request: { headers: { 'X-App': 'a\r\nb' } },
      }),
      'issuer.answer.lifetimeSec: found 600; allowed: whole seconds from 900 to 7776000': own({
        answer: { lifetimeSec: 600 },
      }),
      'issuer.parameters.clientSecret: found an object; allowed: a name of letters': own({
        parameters: { ...OWN.parameters, clientSecret: { description: 'The secret.' } },
      }),
      // Each object has a function of this name.
      'issuer.parameters.toString: found an object; allowed: a name of letters': own({
        parameters: { ...OWN.parameters, toString: { description: 'A text.' } },
      }),
      'tenants[0].tokens[0]: found the token endpoint "https://id.example.com/acme/../token" (has': own({
        tokenEndpoint: { bases: BASES, path: '/{realm}/../token' },
      }),
      'tenants[0].tokens[0]: found the token endpoint "https://evil.example/.example.com/token" (has a value':
        withProfile(
          { ...OWN, tokenEndpoint: { bases: [{ url: 'https://{realm}.example.com' }], path: '/token' } },
          'evil.example/',
        ),
      'tenants[0].tokens[0].scope: found "read write"; allowed: one scope at most': own({
        request: { oneScope: true },
      }),
      'profile: found an object; allowed: nothing: issuer names it': { ...own({}), profile: OWN },
    }),
  )('is refused: %s', (fault, deployment) => {
    expect(faultsOf({ deployments: [deployment] })).toEqual([
      expect.stringContaining(`deployments[0].${fault}`),
    ]);
  });

  test('in a file has a name that no other profile has', () => {
    const file = join(temporaryFolder(), 'acme-id.json');
    writeFileSync(file, JSON.stringify(OWN));
    const other = { ...own({ regions: ['eu'] }), platformRegion: 'eu' };

    expect(faultsOf({ deployments: [withProfile(file)] })).toEqual([]);
    expect(faultsOf({ deployments: [withProfile(file), other] })).toContain(
      'deployments[1].issuer: found "acme-id"; allowed: a name that no other profile has: deployments of one issuer share its profile',
    );
  });
});

describe('names of stacks', () => {
  const prefix = 'latchkey-of-a-team';

  test('have at most the characters that names of schedules leave', () => {
    const found = (environment: string) => faultsOf({ prefix, deployments: [auth0({ environment })] });

    expect(found('production-of-europe-a')).toEqual([]);
    expect(found('production-of-europe-ab')).toEqual([
      expect.stringMatching(
        /^deployments\[0\].environment: found "latchkey-of-a-team-auth0-production-of-europe-ab"; allowed: at most 47/,
      ),
    ]);
  });

  test('are different for a tenant and a deployment', () => {
    const tenants = [{ ...auth0().tenants[0], tenantId: 'eu' }];
    const deployments = [auth0({ tenants }), auth0({ environment: 'production-eu' })];

    expect(faultsOf({ deployments })).toEqual([
      'deployments[0].tenants[0].tenantId: found "eu"; allowed: an id with a different stack name from latchkey-auth0-production-eu',
    ]);
  });
});
