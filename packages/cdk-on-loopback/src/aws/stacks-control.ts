import { isAbsolute } from 'node:path';
import { type Account } from '../account';
import { type Principal } from '../iam/principal';
import { type Stacks } from '../stacks';
import { requireAllowed } from '../iam/authorize';
import { validationError } from './aws-error';
import { type Input } from './input';

/** CDK's default. */
const BOOTSTRAP_QUALIFIER = 'hnb659fds';

interface Caller {
  readonly account: Account;
  readonly principal: Principal;
}

/**
 * Handles `POST /_local/stacks`, which stands for `cdk deploy`, `cdk destroy`, `DescribeStacks` and `ListStackResources`. The
 * caller must be allowed to assume the roles with which CDK would do that.
 * @throws {AwsError} AccessDeniedException, ValidationException, or the error of the operation
 */
export async function controlStacks(input: Input, caller: Caller, stacks: Stacks): Promise<object> {
  input.refuseOtherThan(['action', 'assemblyDir', 'names', 'prefix']);
  const action = input.text('action');
  requireRole(caller, 'deploy');
  if (action === 'list') return { stacks: stacks.list(input.optionalText('prefix', { min: 0 }) ?? '') };
  if (action === 'resources') return { resources: stacks.resources(input.optionalTexts('names')?.[0] ?? '') };
  if (action === 'delete') {
    await stacks.delete(input.optionalTexts('names') ?? []);
    return {};
  }
  if (action !== 'deploy') throw validationError('action: allowed: deploy, delete, list, resources');
  const assemblyDir = input.text('assemblyDir');
  if (!isAbsolute(assemblyDir)) throw validationError('assemblyDir must be absolute');
  const assemblyStacks = stacks.read(assemblyDir);
  if (assemblyStacks.some(({ assetDirs }) => assetDirs.size > 0)) requireRole(caller, 'file-publishing');
  return { outputs: await stacks.deploy(assemblyStacks) };
}

/**
 * Requires that the caller may assume a role of CDK's bootstrap stack. The role itself does not exist here.
 * @see https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html (the roles)
 */
function requireRole({ account, principal }: Caller, purpose: 'deploy' | 'file-publishing'): void {
  const { accountId, region } = account;
  const name = `cdk-${BOOTSTRAP_QUALIFIER}-${purpose}-role-${accountId}-${region}`;
  const statement = {
    Effect: 'Allow' as const,
    Action: 'sts:AssumeRole',
    Principal: { AWS: `arn:aws:iam::${accountId}:root` },
  };
  requireAllowed(
    { account, principal },
    {
      action: 'sts:AssumeRole',
      resource: `arn:aws:iam::${accountId}:role/${name}`,
      resourcePolicy: { Version: '2012-10-17', Statement: statement },
    },
  );
}
