import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { KIND_TAG } from '../../../core/secrets/credential-labels';
import { secretNameOf } from '../../../lib/options/adoption';
import {
  ACCOUNT_ID,
  REGION,
  tenant,
  written,
  type WrittenConfiguration,
  type WrittenTenant,
} from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';

const arnOf = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}-AbCdEf`;
const LEGACY = arnOf('legacy/platform/creds');
type Adopt = NonNullable<WrittenTenant['adopt']>;
const adopting = (...adopts: Adopt[]) =>
  written({ tenants: adopts.map((adopt, n) => ({ ...tenant(`tenant-${n}`), adopt })) });
const AT = 'deployments[0].tenants[0].adopt';

describe('an adopted secret', () => {
  it.each<[string, Adopt]>([
    [
      'the names of the other field',
      { apiKey: { arn: LEGACY, fields: { apiKey: 'validUntil', validUntil: 'apiKey' } } },
    ],
    ['a name that begins like Latchkey’s', { apiKey: arnOf('latchkey/staging/global/legacy') }],
  ])('may have %s', (_, adopt) => {
    expect(faultsOf(adopting(adopt))).toEqual([]);
  });

  it('may be as in the example of docs/deploy.md, with the tag that the page adds', () => {
    const page = readFileSync(join(__dirname, '../../../docs/deploy.md'), 'utf8');
    const example = JSON.parse(/```json\n(\{\n {2}"tenantId".*?)```/s.exec(page)![1]!) as WrittenTenant;
    const [account, region] = ['111122223333', 'eu-west-1'];

    expect(faultsOf(written({ account, region, tenants: [example] }))).toEqual([]);
    const { arn } = example.adopt!.clientCredentials as { arn: string };
    expect(page).toContain(
      `--secret-id ${secretNameOf(arn)} --tags Key=${KIND_TAG},Value=client-credentials\n`,
    );
  });

  it.each<[string, unknown, string]>([
    [
      'two fields of one name',
      { arn: LEGACY, fields: { clientId: 'clientSecret' } },
      '.fields.clientSecret: found "clientSecret"; allowed: a different name for each field',
    ],
    [
      'a field without a name',
      { arn: LEGACY, fields: { clientId: '' } },
      '.fields.clientId: found ""; allowed: 1–64 letters, digits, _, . and -, starting with a letter',
    ],
    ['a number', 7, ': found 7; allowed: the full ARN of the secret, or an object with arn and fields'],
  ])('is refused with %s', (_, clientCredentials, fault) => {
    expect(faultsOf(adopting({ clientCredentials } as Adopt))).toEqual([`${AT}.clientCredentials${fault}`]);
  });

  it.each([
    ['account', arnOf('legacy').replace(ACCOUNT_ID, '333344445555')],
    ['AWS region', arnOf('legacy').replace(REGION, 'eu-west-2')],
  ])('is refused from another %s', (_, arn) => {
    expect(faultsOf(adopting({ apiKey: arn }))).toEqual([
      `${AT}.apiKey: found "${arn}"; allowed: a secret in the deployment’s account and region`,
    ]);
  });

  it.each([
    'latchkey/staging/global/tenant-b/api-key',
    'latchkey/staging/global/tenant-0/client-credentials',
    'latchkey/staging/global/tenant-0/api-key-old',
    'acme/staging/mea/tenant-0/token/content/api-read',
  ])('is refused with the name of another secret of Latchkey: %s', (name) => {
    expect(faultsOf(adopting({ apiKey: arnOf(name) }))).toEqual([
      `${AT}.apiKey: found "${arnOf(name)}"; allowed: the ARN of a secret named latchkey/staging/global/tenant-0/api-key, or with a name that is not Latchkey’s`,
    ]);
  });

  it('is adopted once: not as two kinds, by two tenants or by two deployments', () => {
    const value: WrittenConfiguration = adopting(
      { clientCredentials: LEGACY, apiKey: { arn: LEGACY } },
      { clientCredentials: { arn: LEGACY, fields: { clientId: 'id' } } },
    );
    value.deployments.push({
      environment: 'staging',
      platformRegion: 'mea',
      account: ACCOUNT_ID,
      region: REGION,
      tenants: [{ ...tenant('tenant-9'), adopt: { apiKey: LEGACY } }],
    });

    const allowed = `found "${LEGACY}"; allowed: a secret of its own; ${AT}.clientCredentials adopts this one`;
    expect(faultsOf(value)).toEqual([
      `${AT}.apiKey: ${allowed}`,
      `deployments[0].tenants[1].adopt.clientCredentials: ${allowed}`,
      `deployments[1].tenants[0].adopt.apiKey: ${allowed}`,
    ]);
  });
});

describe('adopted secrets with names of their own', () => {
  const KMS_KEY = `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/0f0f`;
  /** An ARN of 100 characters. */
  const arnOf100 = (n: number) => arnOf(`${'x'.repeat(100 - arnOf('').length - 1)}${n}`);
  const eight = Array.from({ length: 8 }, (_, n): Adopt => ({ apiKey: arnOf100(n) }));

  it('may have ARNs of 800 characters in a deployment', () => {
    expect(arnOf100(0)).toHaveLength(100);
    expect(faultsOf(adopting(...eight))).toEqual([]);
  });

  it.each<[string, Adopt, number, number]>([
    ['more', { clientCredentials: arnOf('a'), apiKey: arnOf100(0) }, 9, 800 + arnOf('a').length],
    ['a key', { apiKey: { arn: arnOf100(0), kmsKeyArn: KMS_KEY } }, 8, 800 + KMS_KEY.length],
  ])('are refused with %s', (_, first, count, length) => {
    expect(faultsOf(adopting(first, ...eight.slice(1)))).toEqual([
      `deployments[0].tenants: found "${count} adopted secrets with names of their own, whose ARNs have ${length} characters"; ` +
        'allowed: at most 800 characters, because IAM policies are limited in size and name each of them; ' +
        'for the other tenants, omit adopt and load their credentials again',
    ]);
  });

  it('share their room with former keys', () => {
    const { deployments, ...rest } = adopting(...eight);

    expect(faultsOf({ ...rest, deployments: [{ ...deployments[0]!, formerKmsKeyArns: [KMS_KEY] }] })).toEqual(
      [
        expect.stringContaining(
          `8 adopted secrets with names of their own and former keys (1), whose ARNs have ${800 + KMS_KEY.length} characters`,
        ),
      ],
    );
  });

  it('do not count with the names that Latchkey gives', () => {
    const usual = Array.from({ length: 50 }, (_, n): Adopt => ({
      apiKey: arnOf(`latchkey/staging/global/tenant-${n}/api-key`),
    }));

    expect(faultsOf(adopting(...usual))).toEqual([]);
  });
});
