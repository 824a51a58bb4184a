import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  type StackStatus,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';

import { findDeployingPackages } from '../src/deploying-packages';
import { cdkStacks } from '../src/cdk-stacks';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { writeAssembly } from './support/template-assembly';

const STACK_ID = 'arn:aws:cloudformation:eu-west-1:111111111111:stack/prove-test-a/1';

/** The laptop answers what CDK asks of STS and SSM, and says clearly that it has no CloudFormation. */
describe('stacks that the real command cdk deploys', () => {
  const { 'aws-cdk': packageDir } = findDeployingPackages(process.cwd(), process.cwd());
  const aws = new LocalAws();
  const cloudFormation = mockClient(CloudFormationClient);
  const interrupt = { now: new AbortController() };
  const saved = { ...process.env };
  const printed: string[] = [];
  const dir = mkdtempSync(join(tmpdir(), 'cdk-stacks-'));
  const assembly = writeAssembly(dir, { name: 'prove-test-a', template: { Resources: {} } });

  const stacks = (onLine: (line: string) => void = (line) => printed.push(line)) =>
    cdkStacks({
      pollIntervalMs: 1,
      packageDir,
      signal: interrupt.now.signal,
      onLine,
      clientConfig: { region: 'eu-west-1' },
    });
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error as Error,
    );
  const stackIn = (StackStatus: StackStatus) => ({
    StackName: 'prove-test-a',
    StackId: STACK_ID,
    StackStatus,
    CreationTime: new Date(0),
  });
  beforeAll(async () => {
    await aws.start();
    const name = '/cdk-bootstrap/hnb659fds/version';
    aws.account.parameters.set(name, {
      arn: `arn:aws:ssm:eu-west-1:111111111111:parameter${name}`,
      name,
      value: '30',
    });
    const { accessKeyId, secretAccessKey } = aws.administrator;
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: aws.url,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_REGION: 'eu-west-1',
    });
  });
  beforeEach(() => {
    interrupt.now = new AbortController();
    cloudFormation.reset();
  });
  afterAll(async () => {
    process.env = saved;
    rmSync(dir, { recursive: true });
    await aws.stop();
  });

  test('fail with what CDK said', async () => {
    const failure = await failureOf(stacks().deployAssembly(assembly));

    expect(printed.join()).toContain('Synthesis time');
    expect(failure).toMatchObject({ name: 'DeploymentFailed' });
    expect(failure!.message).toContain('does not support the service that the request is signed for');
  });

  test('are deleted once what somebody else began has ended', async () => {
    const gone = { Stacks: [] };
    cloudFormation
      .on(DescribeStacksCommand)
      .resolvesOnce({ Stacks: [stackIn('UPDATE_IN_PROGRESS')] })
      .resolvesOnce({ Stacks: [stackIn('UPDATE_COMPLETE')] })
      .resolvesOnce({ Stacks: [stackIn('DELETE_IN_PROGRESS')] })
      .resolves(gone);
    cloudFormation.on(DeleteStackCommand).resolves({});

    await stacks().delete('prove-test-a');

    const inputs = cloudFormation.commandCalls(DeleteStackCommand).map(({ args: [{ input }] }) => input);
    expect(inputs).toEqual([{ StackName: 'prove-test-a' }]);
  });

  test('say why they cannot be deleted', async () => {
    const StackStatusReason = 'The following resource(s) failed to delete: [Bucket].';
    cloudFormation
      .on(DescribeStacksCommand)
      .resolvesOnce({ Stacks: [stackIn('CREATE_COMPLETE')] })
      .resolves({ Stacks: [{ ...stackIn('DELETE_FAILED'), StackStatusReason }] });
    cloudFormation.on(DeleteStackCommand).resolves({});

    expect(await failureOf(stacks().delete('prove-test-a'))).toMatchObject({
      name: 'DeploymentFailed',
      message: `it is in DELETE_FAILED: ${StackStatusReason}`,
    });
  });

  test('interrupt CDK, and wait for its end', async () => {
    const failure = await failureOf(stacks(() => interrupt.now.abort()).deployAssembly(assembly));

    expect(failure).toMatchObject({ name: 'CommandError', code: 'interrupted' });
    expect(await failureOf(stacks().deployAssembly(assembly))).toMatchObject({ code: 'interrupted' });
  });
});
