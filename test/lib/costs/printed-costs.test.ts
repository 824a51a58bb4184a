import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type AppRun, QUIET_CONTEXT, runAppHere } from '../../support/lib/app-process';
import { written, type WrittenConfiguration, type WrittenDeployment } from '../../support/lib/configuration';
import { temporaryFolder } from '../../support/lib/synthesis';

/** Runs the app as the CDK command does. */
function synthesizing(value: WrittenConfiguration): AppRun {
  const folder = temporaryFolder();
  const file = join(folder, 'configuration.json');
  writeFileSync(file, JSON.stringify(value));
  return runAppHere(join(folder, 'out'), {
    LATCHKEY_CONFIG: file,
    CDK_CONTEXT_JSON: JSON.stringify(QUIET_CONTEXT),
  });
}

describe('a synthesis', () => {
  it('prints size and price of each deployment, their sum, and the quotas of their account and region', () => {
    const { deployments, ...rest } = written();
    const both = [deployments[0]!, { ...deployments[0]!, platformRegion: 'mea' as const, tenants: [] }];

    const { status, stdout, stderr } = synthesizing({ ...rest, deployments: both });

    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toMatch(/^staging global: 1 tenant, 1 token\n {2}about USD \d+\.\d\d a month: /);
    expect(stderr).toMatch(/\nstaging mea: 0 tenants, 0 tokens\n/);
    const prices = [...stderr.matchAll(/about USD (\d+\.\d\d) a month/g)].map(([, price]) => Number(price));
    expect(prices).toHaveLength(3);
    expect(prices[2]).toBeCloseTo(prices[0]! + prices[1]!, 1);
    expect(stderr).toContain('2 deployments, list prices of us-east-1');
    expect(stderr.match(/Quotas .*/g)).toEqual(['Quotas in eu-west-1 of account 222233334444']);
    expect(stderr).toContain('4 of 2,000 stacks');
    expect(stderr).toContain('✓ None is used above 80 %');
    expect(stderr.split('\n').every((line) => line.length <= 140)).toBe(true);
  });

  it('says which accounts’ logging role of API Gateway it sets, and how to leave it', () => {
    const { deployments, ...rest } = written();
    const elsewhere = { ...deployments[0]!, platformRegion: 'mea' as const, region: 'me-central-1' };
    const both = { ...rest, deployments: [deployments[0]!, elsewhere] };

    const notices = (stderr: string) => stderr.match(/API Gateway’s logging role .*\n.*/g);
    const way =
      '  Other teams’ APIs would log with it too. To keep the account’s role: "apiGatewayAccount": "existing"';
    expect(notices(synthesizing(both).stderr)).toEqual(
      ['eu-west-1', 'me-central-1'].map(
        (region) =>
          `API Gateway’s logging role in ${region} of account 222233334444 becomes that of the stack latchkey-api-gateway\n${way}`,
      ),
    );
    expect(notices(synthesizing({ ...both, apiGatewayAccount: 'existing' }).stderr)).toBeNull();
  });

  it('refuses a reservation that the account’s quota leaves no room for, and says what to write', () => {
    const reserving = { ...written({ reservedConcurrency: 1 }), quotas: { concurrentExecutions: 10 } };

    const { status, stderr } = synthesizing(reserving);

    expect(status).toBe(1);
    expect(stderr).toContain('! 2 of 0 reserved concurrency');
    expect(stderr).toContain(
      'quotas.concurrentExecutions: found 2 reserved concurrency in eu-west-1 of account 222233334444; ' +
        'allowed: at most 0, or the higher quota that AWS has granted you, ' +
        'or "reservedConcurrency": "none", because 100 of 10 must stay unreserved',
    );
  });

  it('says that it reserves no concurrency, until the configuration says something about it', () => {
    const noticeOf = (deployment: Partial<WrittenDeployment>) =>
      synthesizing(written(deployment)).stderr.match(/No concurrency is reserved .*\n.*/)?.[0];

    expect(noticeOf({})).toBe(
      'No concurrency is reserved for staging global, so a renewal may cost more than one token request\n' +
        '  To reserve it, if the account has room (latchkey doctor says): "reservedConcurrency": 1. To leave it: "none"',
    );
    expect(noticeOf({ reservedConcurrency: 1 })).toBeUndefined();
    expect(noticeOf({ reservedConcurrency: 'none' })).toBeUndefined();
  });

  it('asks for the former key if there is a key and no word about one before', () => {
    const kmsKeyArn = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f';
    const asks = (deployment: Parameters<typeof written>[0]) =>
      synthesizing(written(deployment)).stderr.includes(
        'staging global: if its secrets have another key than kmsKeyArn now, list that in formerKmsKeyArns\n',
      );

    expect(asks({ kmsKeyArn })).toBe(true);
    expect(asks({ kmsKeyArn, formerKmsKeyArns: [] })).toBe(false);
    expect(asks({})).toBe(false);
  });

  it('warns of a quota used above 80 %, and fails above it', () => {
    const warned = synthesizing({ ...written(), quotas: { alarms: 17 } });
    const failed = synthesizing({ ...written(), quotas: { alarms: 15 } });

    expect(warned.status).toBe(0);
    expect(warned.stderr).toContain('  ! 94 % of the quota: 16 of 17 alarms\n');
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain(
      '  quotas.alarms: found 16 alarms in eu-west-1 of account 222233334444; allowed: at most 15, or the higher quota that AWS has granted you\n',
    );
  });

  it('prints nothing for a local configuration', () => {
    const loopback = 'https://127.0.0.1:8443/staging/global';
    const { deployments } = written({ account: undefined, region: undefined });
    const deploymentKey = { contentBaseUrl: `${loopback}/rest/v1`, contentTokenBaseUrl: `${loopback}/auth` };

    const endpoints = { staging: { global: deploymentKey } };
    expect(synthesizing({ local: true, endpoints, deployments })).toMatchObject({ status: 0, stderr: '' });
  });
});
