import {
  DeleteFunctionCommand,
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  InvalidRequestContentException,
  InvokeCommand,
  type InvokeCommandInput,
  RequestTooLargeException,
  ResourceNotFoundException,
  TooManyRequestsException,
} from '@aws-sdk/client-lambda';
import { type LambdaFunction, type PolicyStatement } from '../../src/account';
import { LAMBDA_NAME_CASES } from './cases/lambda-names';
import { expectDenied, LocalAws, refusalOf, ROLE_ARN } from '../../src/testing/local-aws';
import { failure } from '../support/invocation-results';

const MIB = 1024 * 1024;

let aws: LocalAws;
let fn: LambdaFunction;

beforeEach(async () => {
  aws = new LocalAws();
  fn = aws.addFunction('refresh');
  await aws.start();
});
afterEach(() => aws.stop());

const invoke = (part: Partial<InvokeCommandInput> = {}, client = aws.lambda()) =>
  client.send(new InvokeCommand({ FunctionName: fn.name, Payload: '{"a":1}', ...part }));

it('passes the payload to the function and returns its response', async () => {
  const answer = await invoke();

  expect(aws.invoker.invoked).toEqual([{ arn: fn.arn, payload: '{"a":1}', isAsync: false }]);
  expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: '$LATEST' });
  expect(answer.Payload?.transformToString()).toBe('{"ok":true}');
  expect(answer.FunctionError).toBeUndefined();
  expect(answer.LogResult).toBeUndefined();
  expect(answer.$metadata.requestId).toBe('r-1');
});

it.each(LAMBDA_NAME_CASES)('looks for $input', async ({ input, refusal }) => {
  if (!refusal) {
    expect((await invoke(input)).StatusCode).toBe(200);
    return;
  }
  const { name, message, status } = refusal;
  expect(await refusalOf(invoke(input))).toMatchObject({
    name,
    message: expect.stringContaining(message) as unknown,
    $metadata: { httpStatusCode: status },
  });
  expect(aws.invoker.invoked).toEqual([]);
});

it.each<Partial<InvokeCommandInput>>([
  { ClientContext: 'e30=' },
  { TenantId: 'blue' },
  { DurableExecutionName: 'run-1' },
])('refuses what it does not support: %j', async (input) => {
  const refusal = await refusalOf(invoke(input));

  expect(refusal.message).toMatch(/does not support the header x-amz-(client|tenant|durable)-/);
  expect(aws.invoker.invoked).toEqual([]);
});

it('passes an empty event if there is no payload', async () => {
  await invoke({ Payload: undefined });

  expect(aws.invoker.invoked[0]?.payload).toBe('{}');
});

it('marks a function error, and returns the log tail if requested', async () => {
  aws.invoker.result = { ...failure('no'), logTail: 'END' };

  const answer = await invoke({ LogType: 'Tail' });

  expect(answer).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
  expect(Buffer.from(answer.LogResult ?? '', 'base64').toString()).toBe('END');
  expect(answer.Payload?.transformToString()).toBe('{"errorType":"Error","errorMessage":"no"}');
});

it.each<[string, NonNullable<InvokeCommandInput['InvocationType']>, number, boolean[]]>([
  ['queues an event', 'Event', 202, [true]],
  ['only checks permissions in a dry run', 'DryRun', 204, []],
])('%s', async (_, InvocationType, status, isAsync) => {
  expect((await invoke({ InvocationType })).StatusCode).toBe(status);
  expect(aws.invoker.invoked.map((each) => each.isAsync)).toEqual(isAsync);
});

it('reports that reserved concurrency is used up', async () => {
  const reason = 'ReservedFunctionConcurrentInvocationLimitExceeded';
  aws.invoker.result = { kind: 'throttled', reason };

  const refusal = await refusalOf(invoke());

  expect(refusal).toBeInstanceOf(TooManyRequestsException);
  expect(refusal).toMatchObject({ Reason: reason, $metadata: { httpStatusCode: 429 } });
});

it('rejects a payload that is not JSON, without repeating it', async () => {
  const refusal = await refusalOf(invoke({ Payload: '{"canary' }));

  expect(refusal).toBeInstanceOf(InvalidRequestContentException);
  expect(refusal.message).not.toContain('canary');
});

it.each<[NonNullable<InvokeCommandInput['InvocationType']>, number]>([
  ['RequestResponse', 6 * MIB],
  ['Event', MIB],
])('%s takes a payload up to its limit', async (InvocationType, limit) => {
  const Payload = JSON.stringify('x'.repeat(limit - 2));
  expect((await invoke({ InvocationType, Payload })).StatusCode).toBeLessThan(300);

  expect(await refusalOf(invoke({ InvocationType, Payload: `${Payload} ` }))).toBeInstanceOf(
    RequestTooLargeException,
  );
});

describe('permissions', () => {
  const allow: PolicyStatement = { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: '*' };

  it('are needed: the denial names action and function', async () => {
    await expectDenied(invoke({}, aws.lambda(aws.roleKey())), 'lambda:InvokeFunction', fn.arn);

    expect(aws.invoker.invoked).toEqual([]);
  });

  it('come from the role or from the policy of the function', async () => {
    expect((await invoke({}, aws.lambda(aws.roleKey(allow)))).StatusCode).toBe(200);

    fn.resourcePolicy = { Statement: { ...allow, Resource: fn.arn, Principal: { AWS: ROLE_ARN } } };

    expect((await invoke({}, aws.lambda(aws.roleKey()))).StatusCode).toBe(200);
  });
});

it('answers the configuration', async () => {
  const answer = await aws.lambda().send(new GetFunctionConfigurationCommand({ FunctionName: fn.arn }));

  expect(answer).toMatchObject({
    FunctionArn: fn.arn,
    Role: ROLE_ARN,
    Timeout: 30,
    MemorySize: 128,
    Environment: { Variables: { A: 'b' } },
  });
});

it('answers how much concurrency the account has, and has not reserved', async () => {
  fn.reservedConcurrency = 1;
  aws.account.concurrentExecutions = 500;

  const { AccountLimit } = await aws.lambda().send(new GetAccountSettingsCommand());

  expect(AccountLimit).toMatchObject({ ConcurrentExecutions: 500, UnreservedConcurrentExecutions: 499 });
  await expectDenied(
    aws.lambda(aws.roleKey()).send(new GetAccountSettingsCommand()),
    'lambda:GetAccountSettings',
  );
});

it('deletes a function with its processes', async () => {
  await aws.lambda().send(new DeleteFunctionCommand({ FunctionName: fn.name }));

  expect(aws.invoker.removed).toEqual([fn.arn]);
  expect(await refusalOf(invoke())).toBeInstanceOf(ResourceNotFoundException);
});
