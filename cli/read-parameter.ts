import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';

import { parameterName, type ParameterLeaf } from '../contract/parameter-names';
import { type AwsCall, callAws } from './call-aws';

/** Reads what a deployment published in Parameter Store. @throws {CommandError} `not_found` where there is no such thing */
export type ReadParameter = (leaf: ParameterLeaf) => Promise<string>;

/** The reader of one deployment. */
export function parameterReader(
  ssm: SSMClient,
  deployment: AwsCall['deployment'],
  interrupted: AbortSignal,
): ReadParameter {
  return async (leaf) => {
    const name = parameterName(deployment.prefix, deployment, leaf);
    const { Parameter } = await callAws(
      { action: 'ssm:GetParameter', resource: name, deployment, interrupted },
      (options) => ssm.send(new GetParameterCommand({ Name: name }), options),
    );
    return Parameter?.Value ?? '';
  };
}
