import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';

import { type ParameterLeaf, parameterName } from '../core/deployment/parameter-names';
import { type RestoreAuth } from '../core/restore/restore-operation';
import { type AwsCall, callAws } from './call-aws';
import { CommandError } from './command-error';
import { EXIT } from './exit-codes';
import { type Deployment } from './system';

/** An SSM parameter. */
export interface PublishedParameter {
  /** ARN of the parameter, not of what it names. */
  readonly arn: string | undefined;
  readonly value: string;
}

/** Reads a parameter that a deployment published. @throws {CommandError} `not_found` if it does not exist */
type ReadParameter = (leaf: ParameterLeaf) => Promise<string>;

/** The parameter reader of one deployment. */
export function parameterReader(
  ssm: SSMClient,
  deployment: AwsCall['deployment'],
  interrupted: AbortSignal,
): ReadParameter {
  return async (leaf) => (await readPublishedParameter(ssm, deployment, leaf, interrupted)).value;
}

/** Reads a parameter that a deployment published, with its ARN. @throws {CommandError} `not_found` if it does not exist */
export function readPublishedParameter(
  ssm: SSMClient,
  deployment: AwsCall['deployment'],
  leaf: ParameterLeaf,
  interrupted: AbortSignal,
): Promise<PublishedParameter> {
  return readParameter(ssm, parameterName(deployment.prefix, deployment, leaf), deployment, interrupted);
}

/** Reads an SSM parameter. @throws {CommandError} `not_found` if it does not exist */
export async function readParameter(
  ssm: SSMClient,
  name: string,
  deployment: AwsCall['deployment'],
  interrupted: AbortSignal,
): Promise<PublishedParameter> {
  const { Parameter } = await callAws(
    { action: 'ssm:GetParameter', resource: name, deployment, interrupted },
    (options) => ssm.send(new GetParameterCommand({ Name: name }), options),
  );
  return { arn: Parameter?.ARN, value: Parameter?.Value ?? '' };
}

/** The address of a deployment's restore API. @throws {CommandError} if it has none */
export async function restoreUrlOf(parameter: ReadParameter, stackName: string): Promise<string> {
  try {
    return await parameter('restore-api-url');
  } catch (error) {
    if (isNotFound(error)) throw noRestoreApi(stackName);
    throw error;
  }
}

/** How callers authenticate. Only deployments that accept the platform's schemes have an authorizer. */
export async function restoreAuthOf(
  parameter: (leaf: 'authorizer-arn') => Promise<string>,
): Promise<RestoreAuth> {
  return (await isPublished(parameter('authorizer-arn'))) ? 'platform' : 'iam';
}

/** Whether a deployment sends events: then it published their bus. */
export function sendsEvents(parameter: (leaf: 'event-bus-arn') => Promise<string>): Promise<boolean> {
  return isPublished(parameter('event-bus-arn'));
}

async function isPublished(reading: Promise<string>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** The error for a deployment without a restore API. */
export function noRestoreApi(stackName: Deployment['stackName']): CommandError {
  return new CommandError(EXIT.failed, 'no_restore_api', `${stackName} has no restore API`, {
    advice: `Set restoreApi.enabled in the configuration, then deploy: npx cdk deploy '${stackName}*'`,
  });
}

function isNotFound(error: unknown): boolean {
  return error instanceof CommandError && error.code === 'not_found';
}
