import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type WrittenConfiguration, addressesOf, tenant, written } from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';

const READ = { interface: 'content', scope: 'api/read' } as const;
const WRITE = { interface: 'content', scope: 'api/write' } as const;

describe('staging and production', () => {
  const production = addressesOf('production-global');

  it.each([
    [
      'the same in another spelling',
      'contentBaseUrl',
      'HTTPS://API.Production-Global.platform.example/rest/v1/',
    ],
    ['one below it', 'contentBaseUrl', `${production.contentBaseUrl}/staging`],
    ['one above it', 'contentBaseUrl', 'https://api.production-global.platform.example'],
    ['that of another field', 'contentBaseUrl', production.contentTokenBaseUrl],
    ['the token endpoint', 'contentTokenBaseUrl', production.contentTokenBaseUrl],
    ['that of the other region', 'contentBaseUrl', addressesOf('production-mea').contentBaseUrl],
  ])('do not share an address: %s', (_, field, address) => {
    const value = written();
    Object.assign(value.endpoints.staging!.global!, { [field]: address });

    expect(faultsOf(value)).toEqual([
      expect.stringMatching(
        `^endpoints\\.staging\\.global\\.${field}: found .*; allowed: a staging address, separate from endpoints\\.production\\.`,
      ),
    ]);
  });

  it('may share a host if neither address contains the other', () => {
    const value = written();
    value.endpoints.staging!.global!.contentBaseUrl = 'https://api.platform.example/rest';
    value.endpoints.production!.global!.contentBaseUrl = 'https://api.platform.example/rest-live';

    expect(faultsOf(value)).toEqual([]);
  });

  it('do not share a tenant id, even in different regions', () => {
    const value = written();
    value.deployments.push({
      environment: 'production',
      platformRegion: 'mea',
      tenants: [tenant('tenant-a')],
    });

    expect(faultsOf(value)).toEqual([
      'deployments[1].tenants[0].tenantId: found "tenant-a"; ' +
        'allowed: a tenant id of production; this one is also used for staging, where ids differ',
    ]);
  });
});

describe('a deployment', () => {
  it('is unique for each environment × platform region', () => {
    const value = written();
    value.deployments.push({ environment: 'staging', platformRegion: 'global', tenants: [tenant('b')] });

    expect(faultsOf(value)).toEqual([
      'deployments[1]: found "staging-global"; allowed: each environment × platform region only once',
    ]);
  });

  it('needs addresses in endpoints', () => {
    const value = written({ platformRegion: 'mea' });
    delete value.endpoints.staging!.mea;

    expect(faultsOf(value)).toEqual([
      'deployments[0]: found "staging-mea"; allowed: a deployment with addresses in endpoints.staging.mea',
    ]);
  });

  it('has readers that cache a token for less than its guaranteed validity', () => {
    expect(faultsOf(written({ readerCacheSec: 599 }))).toEqual([]);
    expect(faultsOf(written({ readerCacheSec: 600 }))).toEqual([
      'deployments[0].readerCacheSec: found 600; allowed: less than 600 s, the guaranteed validity of a stored token',
    ]);
  });

  it('with restore needs the content token api/write for every tenant', () => {
    const tenants = [tenant('a', [READ, WRITE]), tenant('b', [{ ...READ, scope: 'api/all' }])];

    expect(faultsOf(written({ restore: { available: true }, tenants }))).toEqual([
      'deployments[0].tenants[1].tokens: found "content api/all"; ' +
        'allowed: a list that includes content api/write, because restore.available is true',
    ]);
  });
});

describe('a tenant', () => {
  it('declares each token only once', () => {
    expect(faultsOf(written({ tenants: [tenant('a', [READ, WRITE, READ])] }))).toEqual([
      'deployments[0].tenants[0].tokens[2]: found "content api/read"; allowed: each token only once per tenant',
    ]);
  });

  it.each([
    ['Acme', 'acme'],
    ['a_b', 'a-b-648fa9b3'],
  ])('%s and %s are refused together, because CloudFormation would see one stack name', (one, other) => {
    expect(faultsOf(written({ tenants: [tenant(one), tenant(other)] }))).toEqual([
      `deployments[0].tenants[1].tenantId: found "${other}"; allowed: an id with a different stack name from that of ${one}`,
    ]);
  });
});

describe('a local configuration', () => {
  const local = () =>
    JSON.parse(readFileSync(join(__dirname, '../../../config/local.json'), 'utf8')) as WrittenConfiguration;

  it('accepts only addresses on loopback', () => {
    const value = local();
    value.endpoints.staging!.mea!.webhooksTokenBaseUrl = 'https://auth.platform.example';

    expect(faultsOf(value)).toEqual([
      'endpoints.staging.mea.webhooksTokenBaseUrl: ' +
        'found "https://auth.platform.example (host auth.platform.example is not loopback)"; ' +
        'allowed: an https URL on loopback with a port other than 443, because the configuration is local',
    ]);
  });

  it('names nothing of an account', () => {
    const value = local();
    Object.assign(value.deployments[0]!, { account: '111122223333', region: 'eu-west-1', awsProfile: 'a' });

    const allowed = 'nothing: a local configuration is never deployed to an account';
    expect(faultsOf(value)).toEqual([
      `deployments[0].account: found "111122223333"; allowed: ${allowed}`,
      `deployments[0].region: found "eu-west-1"; allowed: ${allowed}`,
      `deployments[0].awsProfile: found "a"; allowed: ${allowed}`,
    ]);
  });

  it('is the only kind that may use loopback addresses', () => {
    const faults = faultsOf({ ...local(), local: false });

    expect(faults).toHaveLength(20);
    faults.forEach((fault) => expect(fault).toMatch(/\(an IP address instead of a host name\)/));
  });
});

describe('the keys of a deployment', () => {
  const KEY = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f';
  const FORMER = 'arn:aws:kms:eu-west-1:222233334444:key/1f1f';

  it('may be two former ones beside the one in use', () => {
    expect(faultsOf(written({ kmsKeyArn: KEY, formerKmsKeyArns: [FORMER, `${FORMER}2`] }))).toEqual([]);
  });

  it.each([
    ['the one in use', [KEY], `[0]: found "${KEY}"; allowed: another key than kmsKeyArn`],
    ['one twice', [FORMER, FORMER], `[1]: found "${FORMER}"; allowed: another key than formerKmsKeyArns.0`],
    ['three', [1, 2, 3].map((n) => `${FORMER}${n}`), ': found a list; allowed: at most two keys'],
  ])('may not be former ones: %s', (_, formerKmsKeyArns, fault) => {
    expect(faultsOf(written({ kmsKeyArn: KEY, formerKmsKeyArns }))).toEqual([
      `deployments[0].formerKmsKeyArns${fault}`,
    ]);
  });

  it('are in the region of the secrets', () => {
    const faults = faultsOf(written({ region: 'eu-west-2', kmsKeyArn: KEY, formerKmsKeyArns: [FORMER] }));

    expect(faults).toEqual([
      `deployments[0].kmsKeyArn: found "${KEY}"; allowed: a key in eu-west-2, the region of the secrets`,
      `deployments[0].formerKmsKeyArns[0]: found "${FORMER}"; allowed: a key in eu-west-2, the region of the secrets`,
    ]);
  });
});

describe('the alarms of a deployment', () => {
  const TOPIC = 'arn:aws:sns:eu-west-1:222233334444:pager';

  it('accept either e-mail addresses or a topic', () => {
    const faults = faultsOf(written({ alarms: { topicArn: TOPIC, emails: ['pager@example.com'] } }));

    expect(faults).toEqual([
      'deployments[0].alarms.emails: found a list; allowed: nothing together with topicArn: subscribe the addresses to your topic yourself',
    ]);
  });

  it('accept only a topic in their AWS region', () => {
    const faults = faultsOf(written({ region: 'eu-west-2', alarms: { topicArn: TOPIC } }));

    expect(faults).toEqual([
      `deployments[0].alarms.topicArn: found "${TOPIC}"; allowed: a topic in eu-west-2, the region of the alarms`,
    ]);
  });

  it.each([
    [{ rotationNoticeDays: 20 }, 'rotationNoticeDays', 'less than credentials.maxAgeDays, 20 days'],
    [{ apiKeyNoticeDays: 7 }, 'apiKeyUrgentDays', 'less than apiKeyNoticeDays, 7 days'],
  ])('need a notice before the deadline: %j is refused', (alarms, field, allowed) => {
    expect(faultsOf(written({ alarms, credentials: { maxAgeDays: 20 } }))).toEqual([
      expect.stringMatching(`^deployments\\[0\\]\\.alarms\\.${field}: found \\d+; allowed: ${allowed}$`),
    ]);
  });
});

describe('the addresses of one environment', () => {
  /** The faults if an address has the value of another one, apart from a slash. */
  function faultsIfSame(place: string, other: string): readonly string[] {
    const value = written();
    const staging = value.endpoints.staging as Record<string, Record<string, string>>;
    const [region, field, otherRegion, otherField] = [...place.split('.'), ...other.split('.')];
    staging[region!]![field!] = `${staging[otherRegion!]![otherField!]}/`;
    return faultsOf(value);
  }

  it.each([
    ['mea.contentTokenBaseUrl', 'global.contentTokenBaseUrl'],
    ['mea.webhooksTokenBaseUrl', 'global.contentTokenBaseUrl'],
    ['mea.webhooksBaseUrl', 'global.contentBaseUrl'],
  ])('refuse %s equal to %s', (place, other) => {
    expect(faultsIfSame(place, other)).toEqual([
      expect.stringMatching(
        `^endpoints\\.staging\\.${place}: found "https://.*"; allowed: an address that differs from endpoints\\.staging\\.${other}$`,
      ),
    ]);
  });

  it.each([
    ['mea.contentBaseUrl', 'global.contentBaseUrl'],
    ['global.contentTokenBaseUrl', 'global.contentBaseUrl'],
  ])('allow %s equal to %s', (place, other) => {
    expect(faultsIfSame(place, other)).toEqual([]);
  });

  it('name one tenant service', () => {
    const value = written();
    value.endpoints.staging!.mea!.tenantServiceUrl = 'https://tenants.mea.platform.example/graphql';

    expect(faultsOf(value)).toEqual([
      'endpoints.staging.mea.tenantServiceUrl: found "https://tenants.mea.platform.example/graphql"; ' +
        'allowed: the address in endpoints.staging.global.tenantServiceUrl; an environment has one tenant service',
    ]);
  });
});

describe('secretReaders', () => {
  const ofAccount = (account: string) => `arn:aws:iam::${account}:role/break-glass`;
  const faultsWith = (account: string | undefined) => {
    const reader = ofAccount('333344445555');
    return faultsOf(written({ account, secretReaders: { breakGlassRoleArn: reader, tokens: [reader] } }));
  };

  it('are of the account of the secrets, because naming others allows nothing', () => {
    expect(faultsWith('222233334444')).toEqual(
      ['breakGlassRoleArn', 'tokens[0]'].map(
        (field) =>
          `deployments[0].secretReaders.${field}: found "${ofAccount('333344445555')}"; ` +
          'allowed: a principal of 222233334444, the account of the secrets; other accounts read tokens by readerAccounts or readerOrganizations',
      ),
    );
  });

  it('may be of any account if none is configured', () => {
    expect(faultsWith(undefined)).toEqual([]);
  });
});
