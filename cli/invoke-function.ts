import { InvokeCommand } from '@aws-sdk/client-lambda';

import { type ParameterLeaf } from '../core/deployment/parameter-names';
import { callAws } from './call-aws';
import { CommandError } from './command-error';
import { EXIT } from './exit-codes';
import { type Deployment } from './system';

type FunctionLeaf = Extract<ParameterLeaf, `${string}-arn`>;

interface InvokeOptions {
  readonly interrupted: AbortSignal;
  /** Time for the whole invocation, in ms. */
  readonly timeoutMs: number;
}

/** Invokes a function and waits for its answer. @throws {CommandError} also if the function failed or timed out */
export async function invokeFunction<T>(
  deployment: Deployment,
  leaf: FunctionLeaf,
  event: object,
  { interrupted, timeoutMs }: InvokeOptions,
): Promise<T> {
  const functionArn = await deployment.functionArn(leaf);
  const { Payload, FunctionError } = await callAws(
    { action: 'lambda:InvokeFunction', resource: functionArn, deployment, interrupted, timeoutMs },
    (options) =>
      deployment.lambda.send(
        new InvokeCommand({ FunctionName: functionArn, Payload: Buffer.from(JSON.stringify(event)) }),
        // A busy function answers 429, and the client retries.
        { ...options, requestTimeout: timeoutMs },
      ),
  );
  const answer = FunctionError === undefined ? parse<T>(Payload) : undefined;
  if (answer !== undefined) return answer;
  const name = functionArn.split(':')[6] ?? functionArn;
  throw new CommandError(EXIT.failed, 'function_failed', `${name} failed (${FunctionError ?? 'no answer'})`, {
    advice: `See its log: ${tailCommand(functionArn)}`,
  });
}

/**
 * CloudFormation names the function's log group, so the command looks it up.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_LoggingConfig.html
 */
function tailCommand(functionArn: string): string {
  const region = `--region ${functionArn.split(':')[3] ?? ''}`;
  const query = '--query LoggingConfig.LogGroup --output text';
  const lookup = `aws lambda get-function-configuration --function-name ${functionArn} ${region} ${query}`;
  return `aws logs tail "$(${lookup})" --since 15m ${region}`;
}

/** Starts a function without waiting for it. */
export async function startFunction(
  deployment: Deployment,
  leaf: FunctionLeaf,
  event: object,
  interrupted: AbortSignal,
): Promise<void> {
  const functionArn = await deployment.functionArn(leaf);
  await callAws(
    { action: 'lambda:InvokeFunction', resource: functionArn, deployment, interrupted },
    (options) =>
      deployment.lambda.send(
        new InvokeCommand({
          FunctionName: functionArn,
          InvocationType: 'Event',
          Payload: Buffer.from(JSON.stringify(event)),
        }),
        options,
      ),
  );
}

function parse<T>(payload: Uint8Array | undefined): T | undefined {
  try {
    return JSON.parse(Buffer.from(payload ?? []).toString('utf8')) as T;
  } catch {
    return undefined;
  }
}
