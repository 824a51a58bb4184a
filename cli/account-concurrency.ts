import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';

import { MIN_UNRESERVED_CONCURRENCY, RESERVING_FUNCTIONS } from '../lib/options/quota-settings';
import { callAws } from './call-aws';
import { type CommandContext } from './command';
import { type Deployment } from './system';

/** Lambda's concurrency in a deployment's account and region. */
export interface AccountConcurrency {
  /** The quota of concurrent executions. */
  readonly quota: number;
  /** How many more deployments can reserve concurrency. */
  readonly roomForDeployments: number;
}

/**
 * Reads Lambda's quota, and how much of it is left.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html
 * @throws {CommandError} also if the caller may not read it, which is no fault of the deployment
 */
export async function readConcurrency(
  { terminal: { interrupted } }: Pick<CommandContext, 'terminal'>,
  deployment: Deployment,
): Promise<AccountConcurrency> {
  const call = { action: 'lambda:GetAccountSettings', resource: '*', deployment, interrupted };
  const { AccountLimit } = await callAws(call, (options) =>
    deployment.lambda.send(new GetAccountSettingsCommand(), options),
  );
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } =
    AccountLimit ?? {};
  const reservable = Math.max(0, unreserved - MIN_UNRESERVED_CONCURRENCY);
  return { quota, roomForDeployments: Math.floor(reservable / RESERVING_FUNCTIONS) };
}
