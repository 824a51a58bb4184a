import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';

import { isSameTokenType } from '../../core/tokens/token-key';
import { checkAddresses, checkRestorePath } from '../../core/deployment/deployment-addresses';
import { parseEnsureEvent } from '../../lambdas/token-refresh/ensure-event';
import { optionsOf } from '../../lib/options/checked-options';
import { deploymentFileOf } from '../../lib/options/compose-deployment-file';
import { ConfigurationError } from '../../lib/options/configuration-error';
import { parseConfiguration } from '../../lib/options/load';
import { type Configuration } from '../../lib/options/schema';
import { readAssembly } from 'cdk-on-loopback/testing';
import {
  EVERY_OPTION,
  tenant,
  written,
  type WrittenConfiguration,
  type WrittenDeployment,
} from '../support/lib/configuration';
import { HOSTILE_ADDRESSES } from '../support/lib/hostile-addresses';
import { type Synthesis, synthesize } from '../support/lib/synthesis';
import { IS_FULL } from '../support/test-size';
import { forAny } from './support/for-any';
import { changed } from './support/fuzzed-json';

const CONFIGURATIONS = IS_FULL ? 10_000 : 600;
/** How many of the accepted ones are synthesized. A synthesis takes about half a second. */
const SYNTHESES = IS_FULL ? 300 : 8;
const TIMEOUT_MS = IS_FULL ? 1_800_000 : 120_000;

const configFile = (name: string) =>
  JSON.parse(readFileSync(join(__dirname, '../../config', name), 'utf8')) as WrittenConfiguration;

const ARN = 'arn:aws:secretsmanager:eu-west-1:222233334444:secret:other/name-AbCdEf';
/** Has every setting that a deployment in an account can have at once. */
const FULL: WrittenConfiguration = {
  ...written({
    ...(EVERY_OPTION as Partial<WrittenDeployment>),
    restore: {
      available: true,
      actingUserIn: 'header',
      actingUserHeaders: { authorRef: 'X-A' },
      path: '/c/{contentId}?v=1',
    },
    restoreApi: {
      usagePlan: { rateLimit: 5, burstLimit: 9, quota: { limit: 10, period: 'week' } },
      webAclArn: 'arn:aws:wafv2:eu-west-1:222233334444:regional/webacl/acl/0f0f',
      domain: {
        name: 'restore.example.org',
        certificateArn: 'arn:aws:acm:eu-west-1:222233334444:certificate/0f0f',
        hostedZoneId: 'Z0123456789',
      },
      auditRetentionDays: 365,
    },
    alarms: { ...EVERY_OPTION.alarms, emails: ['team@example.org'], missedSweeps: 3 },
    credentials: { maxAgeDays: 60, rotationSchedule: 'cron(0 8 ? * MON#1 *)' },
    permissionsBoundaryArn: 'arn:aws:iam::222233334444:policy/boundary',
    tags: { team: 'learning' },
    tenants: [...EVERY_OPTION.tenants, { ...tenant('b_2'), adopt: { clientCredentials: ARN } }],
  }),
  prefix: 'acme',
  quotas: { alarms: 9_000 },
};
const PRIVATE = written({
  restoreApi: { auth: 'iam', vpcEndpointIds: ['vpce-0123456789abcdef0'] },
  region: 'cn-north-1',
  alarms: { topicArn: 'arn:aws-cn:sns:cn-north-1:222233334444:alarms' },
  reservedConcurrency: 'none',
});
const LOCAL = configFile('local.json');
const BASES = [FULL, FULL, PRIVATE, written(), LOCAL, configFile('example.json')];

/** Values that some setting allows, and others that look like them. */
const values = fc.constantFrom<unknown>(
  ...Object.values(HOSTILE_ADDRESSES).flat(),
  ...['https://127.0.0.1:1/x', 'https://localhost/x', 'https://x.example/a/', 'HTTPS://X.example'],
  ...[
    '/contents/{contentId}/../x',
    '/{contentId}',
    '/x/{contentId}?q={contentId}',
    '/c/{contentId}:r?a=/../',
  ],
  ...['none', 'cron(0 8 1 * ? *)', 'cron(0 8 L * ? *)', 'cron(* * * * ? *)', 'rate(1 day)'],
  ...['aws', 'ssm', 'AWS:x', 'aws:x', 'a-', 'z9', 'A', 'tenant-a', 'TENANT-A', 'tenant_a', 'x'.repeat(128)],
  ...[0, 1, 2, 14, 15, 60, 365, 366, 599, 600, 1e21, 1.5, '1', 'eu-west-1', 'us-gov-west-1', 'xx-yy-1'],
  ...['X-Author-Ref', 'x-collaboration-id', 'Host', 'X Y', 'vpc-1', 'subnet-0a', 'sg-0a', ARN],
  ...['header', 'body', 'PATCH', 'staging', 'production', 'global', 'mea', 'content', 'webhooks', 'api/all'],
);

const fuzzed = changed<WrittenConfiguration>(BASES, values);

/** The configuration, or the message of its refusal */
function parsed(value: unknown): Configuration | string {
  try {
    return parseConfiguration(value, 'FILE');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
}

/** One line for each fault: its place, the value found there, and what is allowed. */
function checkRefusal(message: string): void {
  const [head, ...faults] = message.split('\n');
  expect(head).toBe('FILE cannot be used:');
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) {
    expect(fault).toMatch(/^ {2}\S.*: found .+; allowed: .+$/);
    expect(fault.length).toBeLessThan(2_000);
  }
}

/** The functions accept the deployment file, and every token that it declares. */
function checkAtRunTime(configuration: Configuration): void {
  for (const deployment of configuration.deployments) {
    const file = JSON.parse(
      JSON.stringify(deploymentFileOf(optionsOf(configuration, deployment))),
    ) as ReturnType<typeof deploymentFileOf>;
    checkAddresses(file);
    checkRestorePath(file);
    for (const { tenantId, tokens } of file.tenants) {
      for (const token of tokens) {
        const { key } = parseEnsureEvent({ action: 'ensure', tenantId, ...token }, file);
        expect(isSameTokenType(key, token)).toBe(true);
      }
    }
  }
}

async function checkAll(): Promise<Configuration[]> {
  const accepted: Configuration[] = [];
  await forAny(fuzzed, CONFIGURATIONS, (value) => {
    const result = parsed(value);
    if (typeof result === 'string') return checkRefusal(result);
    expect(() => checkAtRunTime(result)).not.toThrow();
    accepted.push(result);
  });
  return accepted;
}

/** What CloudFormation and the services that it calls would refuse in the middle of a deployment. */
function checkStacks({ assembly }: Synthesis): void {
  const names = assembly.stacks.map(({ stackName }) => stackName);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  for (const { stackName, template } of assembly.stacks) {
    expect(stackName).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,127}$/);
    expect(JSON.stringify(template).length).toBeLessThan(1_000_000);
    expect(JSON.stringify(template)).not.toMatch(/"(undefined|NaN|\[object Object\])"/);
  }
}

test(
  'a configuration that is accepted can be synthesized and works at run time; any other is refused in one message',
  async () => {
    const accepted = await checkAll();

    const every = Math.max(1, Math.floor(accepted.length / SYNTHESES));
    const sample = accepted.filter((_, n) => n % every === 0).slice(0, SYNTHESES);
    for (const configuration of sample) {
      const synthesis = synthesize(configuration);
      checkStacks(synthesis);
      if (configuration.local) readAssembly(synthesis.assembly.directory);
    }
    expect(accepted.length).toBeGreaterThan(CONFIGURATIONS / 10);
    expect(accepted.length).toBeLessThan(CONFIGURATIONS * 0.9);
  },
  TIMEOUT_MS,
);
