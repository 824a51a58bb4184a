import { randomUUID } from 'node:crypto';

import { type Account, type Secret } from '../account';
import { readErrorDocument } from '../functions/error-document';
import { authorize } from '../iam/authorize';
import { servicePrincipal } from '../iam/principal';
import { type FunctionInvoker } from '../interfaces';

/** The steps of a rotation, in order. @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html */
export const ROTATION_STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
export type RotationStep = (typeof ROTATION_STEPS)[number];

/** What Secrets Manager sends to a rotation function, once per step. */
export interface RotationEvent {
  Step: RotationStep;
  SecretId: string;
  ClientRequestToken: string;
  /** Proves the source of a write by a function that assumes a role. */
  RotationToken: string;
}

/** Whether the function exists and its resource policy allows Secrets Manager to rotate this secret with it. */
export function admitsSecretsManager(account: Account, functionArn: string, secretArn: string): boolean {
  return authorize(account, {
    principal: servicePrincipal('secretsmanager.amazonaws.com', secretArn, account),
    action: 'lambda:InvokeFunction',
    resource: functionArn,
    resourcePolicy: account.functions.get(functionArn)?.resourcePolicy,
  }).allowed;
}

/** Invokes the secret's rotation function for one step. @returns why it failed, or undefined */
export async function invokeStep(
  { account, invoker }: { account: Account; invoker: FunctionInvoker },
  { arn, rotation }: Secret,
  versionId: string,
  step: RotationStep,
): Promise<string | undefined> {
  if (!rotation || !admitsSecretsManager(account, rotation.lambdaArn, arn))
    return 'the function policy does not allow secretsmanager.amazonaws.com';
  const event: RotationEvent = {
    Step: step,
    SecretId: arn,
    ClientRequestToken: versionId,
    RotationToken: randomUUID(),
  };
  const result = await invoker.invoke(rotation.lambdaArn, Buffer.from(JSON.stringify(event)));
  if (result.kind === 'ok') return undefined;
  if (result.kind === 'throttled') return result.reason;
  const { errorType, errorMessage } = readErrorDocument(result.payload);
  return `${errorType}: ${errorMessage}`;
}
