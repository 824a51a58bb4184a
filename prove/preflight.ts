import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';

import { shellWord } from '../contract/shell-word';
import { bootstrapParameter, checkBootstrap } from '../cli/bootstrap-check';
import { CommandError } from '../cli/command-error';
import { EXIT } from '../cli/exit-codes';
import { awsFault } from './aws-fault';
import { type Caller, type CallerSurroundings } from './caller';
import { findDeployingPackages } from '../cli/deploying-packages';

/** What was found before anything is created. */
export interface Preflight {
  /** Whether API Gateway has a logging role in the account and region, without which stages have no access log. */
  readonly hasLoggingRole: boolean;
  /** What the person should know, one sentence each. */
  readonly notes: readonly string[];
}

/** A new account's quota. With fewer, invocations of the run would throttle each other. */
const FEWEST_CONCURRENT_RUNS = 10;

/**
 * Checks that CDK can deploy here, and asks for the settings of the account that matter. Changes nothing.
 * @throws {CommandError} `cdk_missing`, `not_bootstrapped`, `quota_too_small`, `access_denied`
 */
export async function preflight(caller: Caller, surroundings: CallerSurroundings): Promise<Preflight> {
  const { workingDir, projectRoot } = surroundings;
  findDeployingPackages(workingDir, projectRoot);
  // What is not AWS may not know these requests, and is deployed to in other ways.
  if (caller.endpoint !== undefined) {
    return { hasLoggingRole: await findLoggingRole(caller, surroundings).catch(() => false), notes: [] };
  }
  const [bootstrapNote, hasLoggingRole] = await Promise.all([
    requireBootstrap(caller, surroundings),
    findLoggingRole(caller, surroundings),
    requireConcurrency(caller, surroundings),
  ]);
  const notes = [
    ...(bootstrapNote === undefined ? [] : [bootstrapNote]),
    ...(hasLoggingRole
      ? []
      : [
          'API Gateway has no logging role in this account and region, so the APIs of the run have no access log.',
        ]),
  ];
  return { hasLoggingRole, notes };
}

function requireBootstrap(
  { place, settings }: Caller,
  { workingDir, interrupted }: CallerSurroundings,
): Promise<string | undefined> {
  const { profile } = settings;
  const parameter = bootstrapParameter(workingDir);
  const ssm = new SSMClient(settings);
  const command = [
    `npx cdk bootstrap aws://${place.accountId}/${place.region}`,
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ].join(' ');
  const version = async () => {
    try {
      const { Parameter } = await ssm.send(new GetParameterCommand({ Name: parameter }), {
        abortSignal: interrupted,
      });
      return Parameter?.Value ?? '';
    } catch (error) {
      if ((error as Error).name !== 'ParameterNotFound')
        throw awsFault(error, 'ssm:GetParameter', interrupted);
      throw new CommandError(EXIT.failed, 'not_found', 'no bootstrap stack', { cause: error });
    } finally {
      ssm.destroy();
    }
  };
  return checkBootstrap({ parameter, command, version });
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetAccount.html (cloudwatchRoleArn) */
async function findLoggingRole({ settings }: Caller, { interrupted }: CallerSurroundings): Promise<boolean> {
  const apiGateway = new APIGatewayClient(settings);
  try {
    const { cloudwatchRoleArn } = await apiGateway.send(new GetAccountCommand(), {
      abortSignal: interrupted,
    });
    return cloudwatchRoleArn !== undefined && cloudwatchRoleArn !== '';
  } catch (error) {
    throw awsFault(error, 'apigateway:GET on /account', interrupted);
  } finally {
    apiGateway.destroy();
  }
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html */
async function requireConcurrency({ settings }: Caller, { interrupted }: CallerSurroundings): Promise<void> {
  const lambda = new LambdaClient(settings);
  try {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand(), { abortSignal: interrupted });
    const { UnreservedConcurrentExecutions: free = FEWEST_CONCURRENT_RUNS } = AccountLimit ?? {};
    if (free >= FEWEST_CONCURRENT_RUNS) return;
    throw new CommandError(
      EXIT.failed,
      'quota_too_small',
      `unreserved concurrent executions of Lambda: found ${free}; allowed: at least ${FEWEST_CONCURRENT_RUNS}`,
    );
  } catch (error) {
    throw awsFault(error, 'lambda:GetAccountSettings', interrupted);
  } finally {
    lambda.destroy();
  }
}
