import { invokeFunction, startFunction } from '../../cli/invoke-function';
import { failureOf, OperatedSystem } from './support/operated-system';

const OPTIONS = { interrupted: new AbortController().signal, timeoutMs: 1000 };

function deploymentThatAnswers(answer: object) {
  const system = new OperatedSystem();
  system.functions['token-sweep'] = () => ({});
  const deployment = system.deployment();
  const send = jest.fn().mockResolvedValue(answer);
  return { deployment: { ...deployment, lambda: { send } as unknown as typeof deployment.lambda }, send };
}

describe('invoking a function', () => {
  it('returns its answer', async () => {
    const { deployment } = deploymentThatAnswers({ Payload: Buffer.from('{"ok":true}') });

    expect(await invokeFunction(deployment, 'token-sweep-arn', {}, OPTIONS)).toEqual({ ok: true });
  });

  it.each([
    ['a function error', { FunctionError: 'Unhandled', Payload: Buffer.from('{"errorMessage":"canary"}') }],
    ['an answer that is not JSON', { Payload: Buffer.from('canary') }],
    ['no answer', {}],
  ])('fails with the command to see its log, and without its text, at %s', async (_, answer) => {
    const { deployment } = deploymentThatAnswers(answer);

    const failure = await failureOf(async () =>
      invokeFunction(deployment, 'token-sweep-arn', { action: 'sweep' }, OPTIONS),
    );

    expect(failure).toMatchObject({ exitCode: 1, code: 'function_failed' });
    expect(`${failure.message}${failure.advice}`).not.toContain('canary');
    expect(failure.advice).toMatch(
      /aws logs tail "\$\(aws lambda get-function-configuration --function-name arn:aws:lambda:\S+:token-sweep --region \S+ --query LoggingConfig\.LogGroup --output text\)"/,
    );
  });

  it('starts one without waiting', async () => {
    const { deployment, send } = deploymentThatAnswers({});

    await startFunction(deployment, 'token-sweep-arn', { action: 'sweep' }, OPTIONS.interrupted);

    expect(send.mock.calls).toMatchObject([[{ input: { InvocationType: 'Event' } }, {}]]);
  });
});
