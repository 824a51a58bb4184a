import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openConfiguredSystem } from '../../cli/configured-system';
import { RestoreClient } from '../../cli/restore/restore-client';
import { parameterName } from '../../core/deployment/parameter-names';
import { ACCOUNT_ID, LocalAws, REGION } from 'cdk-on-loopback/testing/local-aws';
import { configurationFor } from './support/configuration';
import { FakeTerminal } from './support/fake-terminal';
import { OperatedSystem } from './support/operated-system';

const MINUTE_MS = 60_000;
const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'global' } as const;

describe.each([6, -14])('if the clock of AWS is %i minutes ahead of the operator’s', (minutes) => {
  const before = { ...process.env };
  let aws: LocalAws;
  let dir: string;
  beforeEach(async () => {
    aws = new LocalAws();
    await aws.start();
    aws.clock.offsetMs = minutes * MINUTE_MS;
    dir = mkdtempSync(join(tmpdir(), 'latchkey-clock-'));
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: aws.url,
      AWS_ACCESS_KEY_ID: aws.administrator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: aws.administrator.secretAccessKey,
    });
  });
  afterEach(async () => {
    process.env = before;
    rmSync(dir, { recursive: true });
    await aws.stop();
  });

  const open = () => {
    writeFileSync(join(dir, 'own.json'), JSON.stringify(configurationFor(ACCOUNT_ID, REGION)));
    return openConfiguredSystem({
      config: 'own.json',
      profile: undefined,
      workingDir: dir,
      interrupted: new AbortController().signal,
    });
  };

  it('commands can call it, and a restore is signed with its time', async () => {
    for (const [leaf, value] of [
      ['restore-api-url', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
      ['restore-arn', `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:restore`],
    ] as const) {
      const name = parameterName('latchkey', DEPLOYMENT_KEY, leaf);
      const arn = `arn:aws:ssm:${REGION}:${ACCOUNT_ID}:parameter${name}`;
      aws.account.parameters.set(name, { arn, name, value });
    }
    const system = open();
    const deployment = system.deployments[0]!;
    const context = { ...new OperatedSystem().context(new FakeTerminal(), system), nowMs: Date.now };
    const client = await RestoreClient.open(context, { system, deployment, tenant: deployment.tenants[0]! });

    const headers = await client.authorize({ contentId: 'id-1', actingUser: { authorRef: 'jo' } });

    const time = headers['x-amz-date'] ?? '';
    const signedAtMs = Date.parse(
      time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
    );
    expect(Math.abs(signedAtMs - aws.clock.nowMs())).toBeLessThan(10_000);
  });
});
