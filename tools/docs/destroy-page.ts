import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App } from 'aws-cdk-lib';

import { parseConfiguration } from '../../lib/config/load';
import { KEY, LOG_STORAGE, type Price, SECRET } from '../../lib/costs/prices';
import { addStacks } from '../../lib/stacks/add-stacks';

/** The part of a template's resource that says what becomes of it. */
export interface DestroyedResource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** A kind of resource that outlives its stack. */
interface Remnant {
  readonly what: string;
  readonly type: string;
  /** Tells it from others of its type. @default all */
  readonly is?: (properties: Readonly<Record<string, unknown>>) => boolean;
  readonly why: string;
  readonly costs: string;
  /** The step of the page that removes it. */
  readonly step: string;
}

const priced = ({ usd, per, page }: Price) => `[$${usd.toFixed(2)}](${page}) per ${per}`;

const REMNANTS: readonly Remnant[] = [
  {
    what: 'the secrets with client credentials and API keys',
    type: 'AWS::SecretsManager::Secret',
    is: ({ Name }) => /\/(client-credentials|api-key)$/.test(nameIn(Name)),
    why: 'only people can get new ones, from support or as an administrator',
    costs: `${priced(SECRET)}, and as much for each replica, until you delete it`,
    step: '[delete the secrets](#1-delete-the-secrets)',
  },
  {
    what: 'the deployment’s key',
    type: 'AWS::KMS::Key',
    why: 'without it, nobody can read these secrets or encrypted logs',
    costs: `${priced(KEY)}, more in later years because it rotates; nothing once its deletion is scheduled`,
    step: '[delete the key](#2-delete-the-key)',
  },
  {
    what: 'the log of the restore function, with `restoreApi.auditRetentionDays`',
    type: 'AWS::Logs::LogGroup',
    why: 'it says who restored what',
    costs: `${priced(LOG_STORAGE)}, for as many days`,
    step: '[delete the log](#3-delete-the-log)',
  },
  {
    what: 'API Gateway’s logging role',
    type: 'AWS::IAM::Role',
    is: ({ Description }) => Description === 'Lets API Gateway write logs',
    why: 'other APIs of the account and region may log with it',
    costs: 'nothing',
    step: '[give up the logging role](#4-give-up-the-logging-role)',
  },
  {
    what: 'the setting with that role',
    type: 'AWS::ApiGateway::Account',
    why: 'the same',
    costs: 'nothing',
    step: '[give up the logging role](#4-give-up-the-logging-role)',
  },
];

/** What the templates keep and delete, as the part of docs/destroy.md that is generated. */
export function remnantsTable(resources = everyResource()): string {
  const kept = resources.filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete');
  const found = new Set(kept.map(remnantOf));
  const rows = REMNANTS.filter((remnant) => found.has(remnant)).map(
    ({ what, type, why, costs, step }) => `| ${what} | \`${type}\` | ${why} | ${costs} | ${step} |`,
  );
  const deleted = resources.filter((each) => !kept.includes(each) && each.Type !== 'AWS::CDK::Metadata');
  return [
    '| What stays | Type | Why | Costs | Remove it |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    `Deleted with their stack, at once: ${[...new Set(deleted.map(({ Type }) => Type))]
      .sort()
      .map((type) => `\`${type}\``)
      .join(', ')}${rows.length > 0 ? ', but for those above' : ''}.`,
  ].join('\n');
}

/** @throws {Error} for what the page does not know: it needs a row */
export function remnantOf({ Type, Properties = {} }: DestroyedResource): Remnant {
  const remnant = REMNANTS.find(({ type, is }) => type === Type && (is === undefined || is(Properties)));
  if (remnant === undefined)
    throw new Error(`${Type} outlives its stack; add why to tools/docs/destroy-page.ts`);
  return remnant;
}

/** A name that may contain references. */
function nameIn(name: unknown): string {
  return typeof name === 'string' ? name : JSON.stringify(name).replace(/["\]}]+$/, '');
}

/** The resources of deployments that together use every option that adds some. */
function everyResource(): DestroyedResource[] {
  const outdir = mkdtempSync(join(tmpdir(), 'latchkey-destroy-'));
  try {
    // No bundles: only the templates matter.
    const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
    addStacks(app, parseConfiguration(CONFIGURATION, 'tools/docs/destroy-page.ts'));
    return app.synth().stacks.flatMap(({ template }) => {
      const { Resources } = template as { Resources: Record<string, DestroyedResource> };
      return Object.values(Resources);
    });
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

const ACCOUNT = '111122223333';
const REGION = 'eu-west-1';
const addresses = (name: string) => ({
  contentBaseUrl: `https://api.${name}.example/rest/v1`,
  contentTokenBaseUrl: `https://auth.${name}.example`,
});
const CONFIGURATION = {
  endpoints: { staging: { global: addresses('global'), mea: addresses('mea') } },
  deployments: [
    {
      environment: 'staging',
      account: ACCOUNT,
      region: REGION,
      tenants: [{ tenantId: 'tenant-a', tokens: [{ interface: 'content', scope: 'api/write' }] }],
      restore: { available: true },
      alarms: { emails: ['team@example.org'] },
      encryptLogsAndQueue: true,
      auditSecrets: true,
      logSubscription: { destinationArn: `arn:aws:logs:${REGION}:${ACCOUNT}:destination:logs` },
      secretReaders: { breakGlassRoleArn: `arn:aws:iam::${ACCOUNT}:role/break-glass` },
      restoreApi: {
        ratePerIp: 300,
        auditRetentionDays: 365,
        usagePlan: { rateLimit: 2, burstLimit: 4 },
        domain: {
          name: 'restore.example.org',
          certificateArn: `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/0f0f0f0f-1111-2222-3333-444444444444`,
          hostedZoneId: 'Z0123456789ABCDEFGHIJ',
        },
      },
    },
    {
      environment: 'staging',
      platformRegion: 'mea',
      account: ACCOUNT,
      region: REGION,
      tenants: [{ tenantId: 'tenant-b', tokens: [{ interface: 'content', scope: 'api/write' }] }],
      restoreApi: { auth: 'iam', vpcEndpointIds: ['vpce-0a1b2c3d'] },
      vpc: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] },
    },
  ],
};
