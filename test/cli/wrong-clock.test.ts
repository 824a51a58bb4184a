import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openConfiguredSystem } from '../../cli/configured-system';
import { RestoreClient } from '../../cli/restore/restore-client';
import { parameterName } from '../../core/deployment/parameter-names';
import { ACCOUNT_ID, LocalAws, REGION } from 'cdk-on-loopback/testing/local-aws';
import { newFolder } from '../support/new-folder';
import { configurationFor } from './support/configuration';
import { FakeTerminal } from './support/fake-terminal';
import { OperatedSystem } from './support/operated-system';

const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'global' } as const;

let aws: LocalAws;
beforeEach(async () => {
  aws = new LocalAws();
  await aws.start();
  jest.replaceProperty(process, 'env', {
    ...process.env,
    AWS_ENDPOINT_URL: aws.url,
    AWS_ACCESS_KEY_ID: aws.administrator.accessKeyId,
    AWS_SECRET_ACCESS_KEY: aws.administrator.secretAccessKey,
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await aws.stop();
});

test.each([6, -14])(
  'commands can call AWS whose clock is %i minutes ahead, and sign a restore with its time',
  async (minutes) => {
    aws.clock.offsetMs = minutes * 60_000;
    for (const [leaf, value] of [
      ['restore-api-url', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
      ['restore-arn', `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:restore`],
    ] as const) {
      const name = parameterName('latchkey', DEPLOYMENT_KEY, leaf);
      const arn = `arn:aws:ssm:${REGION}:${ACCOUNT_ID}:parameter${name}`;
      aws.account.parameters.set(name, { arn, name, value });
    }
    const config = join(newFolder(), 'own.json');
    writeFileSync(config, JSON.stringify(configurationFor(ACCOUNT_ID, REGION)));
    const interrupted = new AbortController().signal;
    const system = openConfiguredSystem({ config, profile: undefined, workingDir: '/', interrupted });
    const deployment = system.deployments[0]!;
    const context = { ...new OperatedSystem().context(new FakeTerminal(), system), nowMs: Date.now };
    const client = await RestoreClient.open(context, { system, deployment, tenant: deployment.tenants[0]! });

    const headers = await client.authorize({ contentId: 'id-1', actingUser: { authorRef: 'jo' } });

    const compact = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
    const signedAtMs = Date.parse(headers['x-amz-date']!.replace(compact, '$1-$2-$3T$4:$5:$6Z'));
    expect(Math.abs(signedAtMs - aws.clock.nowMs())).toBeLessThan(10_000);
  },
);
