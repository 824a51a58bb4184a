import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ReplicateSecretToRegionsCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { findDeployment } from '../../cli/deployment-location';
import { CommandError } from '../../cli/command-error';
import { EXIT } from '../../cli/exit-codes';
import { replicaFindings } from '../../cli/replica-findings';
import { type Deployment } from '../../cli/system';
import { type Finding } from '../../core/findings/finding';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { FakeTerminal } from './support/fake-terminal';
import { OperatedSystem } from './support/operated-system';

const OTHER = 'eu-central-1';
const PATH = 'latchkey/staging/global/tenant-a';
const IDS = { 'client-credentials': `${PATH}/client-credentials`, 'api-key': `${PATH}/api-key` };
const TOKEN = `${PATH}/token/content/api-read`;

describe('the replicas of a deployment’s secrets', () => {
  let aws: LocalAws;
  let client: SecretsManagerClient;

  beforeEach(async () => {
    aws = new LocalAws();
    for (const name of [...Object.values(IDS), TOKEN]) aws.addSecret(name);
    await aws.start();
    client = aws.secretsManager();
  });
  afterEach(() => aws.stop());

  const put = (SecretId: string) => client.send(new PutSecretValueCommand({ SecretId, SecretString: 'x' }));
  const replicate = (SecretId: string, KmsKeyId?: string) =>
    client.send(
      new ReplicateSecretToRegionsCommand({ SecretId, AddReplicaRegions: [{ Region: OTHER, KmsKeyId }] }),
    );
  const deployment = (change: Partial<Deployment> = {}): Deployment => ({
    ...new OperatedSystem().deployment({ environment: 'staging', platformRegion: 'global' }),
    secretsManager: client,
    replicaRegions: [OTHER],
    tenants: [
      {
        tenantId: 'tenant-a',
        secretIds: IDS,
        tokens: [{ interface: 'content', scope: 'api/read', secretId: TOKEN }],
      },
    ],
    ...change,
  });
  const find = (where = deployment()): Promise<Finding[]> =>
    replicaFindings(
      new OperatedSystem().context(new FakeTerminal()),
      { deployment: where, tenantIds: undefined },
      '--config c.json',
    );

  const adopted = { ...IDS, 'api-key': 'arn:aws:secretsmanager:eu-west-1:111111111111:secret:legacy-AbCdEf' };
  it.each<[string, Partial<Deployment>]>([
    ['there are no replicaRegions', { replicaRegions: [] }],
    [
      'the secret is adopted, and the business of others',
      { tenants: [{ tenantId: 'tenant-a', secretIds: adopted, tokens: [] }] },
    ],
  ])('are not looked at if %s', async (_, change) => {
    await put(IDS['api-key']);

    expect(await find(deployment(change))).toEqual([]);
  });

  it('need nobody while they are in sync or on their way, and before there is a value', async () => {
    await put(TOKEN);
    await replicate(TOKEN);

    expect(await find()).toEqual([]);
    await aws.runClock.advance(1);
    expect(await find()).toEqual([]);
  });

  it('that are missing come back with a deployment', async () => {
    await put(IDS['api-key']);

    expect(await find()).toEqual([
      {
        kind: 'replica_failed',
        severity: 'warning',
        place: { environment: 'staging', platformRegion: 'global', tenantId: 'tenant-a' },
        credential: 'api-key',
        message: `The secret ${IDS['api-key']} for the API key has no replica in ${OTHER}.`,
        meaning: `Readers in ${OTHER} get no new value, and find none once the last one has expired.`,
        repair: { command: 'npx cdk deploy latchkey-staging-global-tenant-a --revert-drift' },
      },
    ]);
  });

  it('that failed say why, with the command that tries again', async () => {
    const key = `arn:aws:kms:${OTHER}:111111111111:key/none`;
    await put(TOKEN);
    await replicate(TOKEN, key);

    const [finding, ...others] = await find();

    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      kind: 'replica_failed',
      token: { interface: 'content', scope: 'api/read' },
    });
    expect(finding!.message).toMatch(
      /^The replica in eu-central-1 of the secret .* failed: .*KMS key does not exist in this region\.$/,
    );
    expect(finding!.repair.command).toBe(
      `aws secretsmanager replicate-secret-to-regions --region eu-west-1 --secret-id ${TOKEN} --add-replica-regions Region=${OTHER},KmsKeyId=${key}`,
    );
  });

  it('need permission to be seen', async () => {
    const found = find(deployment({ secretsManager: aws.secretsManager(aws.roleKey()) }));

    await expect(found).rejects.toMatchObject({ code: 'access_denied' });
  });

  it('are no deployment: a command in their region is refused, and told the right one', async () => {
    await put(TOKEN);
    await replicate(TOKEN);
    await aws.runClock.advance(1);
    const there = aws.secretsManager(undefined, OTHER);
    await there.send(new GetSecretValueCommand({ SecretId: TOKEN }));

    const located = findDeployment(
      {
        deployment: deployment({ secretsManager: there }),
        functionParameter: () => Promise.reject(new CommandError(EXIT.failed, 'not_found', 'no parameter')),
        requireHere: () => Promise.resolve(),
        interrupted: new AbortController().signal,
      },
      [TOKEN],
    );

    await expect(located).rejects.toMatchObject({
      code: 'other_account',
      exitCode: EXIT.refused,
      message: `AWS region: found 111111111111, ${OTHER}; allowed: eu-west-1, the region of latchkey-staging-global; ${OTHER} only has replicas of its secrets`,
    });
  });
});
