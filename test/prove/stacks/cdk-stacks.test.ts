import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  type StackStatus,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';

import { findDeployingPackages } from '../../../cli/deploying-packages';
import { CdkStacks } from '../../../prove/stacks/cdk-stacks';
import { LocalAws } from '../../local/aws/local-account';

const PLACE = { partition: 'aws', accountId: '111111111111', region: 'eu-west-1' };
const STACK_ID = 'arn:aws:cloudformation:eu-west-1:111111111111:stack/prove-test-a/1';
const Z = { name: 'prove-test-z', template: { Resources: {} } };
const A = { name: 'prove-test-a', template: { Resources: {} } };

/** The laptop answers what CDK asks of STS and SSM, and says clearly that it has no CloudFormation. */
describe('stacks that the real command cdk deploys', () => {
  const { 'aws-cdk': packageDir } = findDeployingPackages(process.cwd(), process.cwd());
  const aws = new LocalAws();
  const cloudFormation = mockClient(CloudFormationClient);
  const interrupt = { now: new AbortController() };
  const saved = { ...process.env };
  const printed: string[] = [];

  const stacks = (onLine: (line: string) => void = (line) => printed.push(line)) =>
    new CdkStacks({
      ...{ place: PLACE, prefix: 'prove-test', qualifier: 'hnb659fds', lookAgainMs: 1 },
      command: {
        ...{ packageDir, profile: undefined, signal: interrupt.now.signal, onLine },
      },
      clientConfig: {},
    });
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error as Error,
    );
  const stackIn = (StackStatus: StackStatus) => ({
    ...{ StackName: 'prove-test-a', StackId: STACK_ID, StackStatus, CreationTime: new Date(0) },
  });
  const event = (LogicalResourceId: string, ResourceStatus: string, more: object = {}) => ({
    ...{ StackId: STACK_ID, EventId: LogicalResourceId, StackName: 'prove-test-a', LogicalResourceId },
    ...{ PhysicalResourceId: LogicalResourceId, ResourceStatus: ResourceStatus as never },
    ...{ Timestamp: new Date(), ...more },
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
    await aws.stop();
  });

  test('fail with what CDK said, if CloudFormation was not asked to change any', async () => {
    cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [stackIn('UPDATE_ROLLBACK_COMPLETE')] });
    const before = event('Old', 'UPDATE_FAILED', { Timestamp: new Date(0) });
    cloudFormation.on(DescribeStackEventsCommand).resolves({ StackEvents: [before] });

    const failure = await failureOf(stacks().deploy(Z, A));

    expect(printed).toContain('prove-test-z');
    expect(printed).not.toContain('prove-test-a');
    expect(failure).toMatchObject({ name: 'DeploymentFailed', status: undefined });
    expect(failure!.message).toContain('does not support the service that the request is signed for');
  });

  test('fail with the status of the stack and the first reason of CloudFormation', async () => {
    cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [stackIn('ROLLBACK_COMPLETE')] });
    cloudFormation.on(DescribeStackEventsCommand).resolves({
      StackEvents: [
        event('prove-test-a', 'ROLLBACK_COMPLETE'),
        event('Second', 'CREATE_FAILED', { ResourceStatusReason: 'Resource creation cancelled' }),
        event('First', 'CREATE_FAILED', { ResourceStatusReason: 'already exists' }),
        event('prove-test-a', 'CREATE_IN_PROGRESS'),
      ],
    });

    expect(await failureOf(stacks().deploy(A))).toMatchObject({
      status: 'ROLLBACK_COMPLETE',
      message: 'stack prove-test-a is in ROLLBACK_COMPLETE: First: already exists',
    });
  });

  test('are deleted without what could not be deleted with them', async () => {
    cloudFormation
      .on(DescribeStacksCommand)
      .resolvesOnce({ Stacks: [stackIn('DELETE_IN_PROGRESS')] })
      .resolvesOnce({ Stacks: [stackIn('UPDATE_ROLLBACK_FAILED')] })
      .resolvesOnce({ Stacks: [stackIn('DELETE_FAILED')] })
      .resolvesOnce({ Stacks: [stackIn('DELETE_FAILED')] })
      .resolves({ Stacks: [] });
    cloudFormation.on(DescribeStackEventsCommand).resolves({
      StackEvents: [
        event('prove-test-a', 'DELETE_FAILED', { PhysicalResourceId: STACK_ID }),
        event('Table', 'DELETE_COMPLETE'),
        event('Bucket', 'DELETE_FAILED', { ResourceStatusReason: 'it is not empty' }),
        event('Table', 'DELETE_FAILED'),
      ],
    });
    cloudFormation.on(DeleteStackCommand).resolves({});

    await stacks().delete('prove-test-a', 'prove-test-none');

    const inputs = cloudFormation.commandCalls(DeleteStackCommand).map(({ args: [{ input }] }) => input);
    expect(inputs).toEqual([{ StackName: 'prove-test-a', RetainResources: ['Bucket'] }]);
  });

  test('asks CloudFormation as the role with which CDK deploys', async () => {
    cloudFormation.restore();
    const failure = await failureOf(stacks().list('prove-test'));

    expect(failure!.name).toMatch(/AccessDenied/);
    expect(failure!.message).toContain('role/cdk-hnb659fds-deploy-role-111111111111-eu-west-1');
  });

  test('interrupt CDK, and wait for its end', async () => {
    const failure = await failureOf(stacks(() => interrupt.now.abort()).deploy(A));

    expect(failure).toMatchObject({ name: 'CommandError', code: 'interrupted' });
    expect(await failureOf(stacks().deploy(A))).toMatchObject({ code: 'interrupted' });
  });
});
