import { type Account } from './account';
import { authorize } from './iam/authorize';
import { type Principal } from './iam/principal';

/** A role session in which a service acts. */
export type RoleSession = Extract<Principal, { kind: 'role-session' }>;

/** A service that acts on behalf of a resource. */
interface ActingService {
  /** `lambda.amazonaws.com`. */
  service: string;
  /** The resource, as `aws:SourceArn` gives it. */
  sourceArn: string;
}

/** The service may not assume the role, or the role lacks a permission. The message is AWS's. */
export class ServiceRoleError extends Error {
  override readonly name = 'ServiceRoleError';
  readonly code = 'AccessDeniedException';
}

/**
 * Assumes a role as an AWS service does.
 * @throws {ServiceRoleError} if the role does not exist, or its trust policy does not allow the service
 */
export function assumeAsService(
  account: Account,
  roleArn: string,
  sessionName: string,
  { service, sourceArn }: ActingService,
): RoleSession {
  const role = account.roles.get(roleArn);
  if (!role) throw new ServiceRoleError(`the account has no role ${roleArn}`);
  const decision = authorize(account, {
    principal: { kind: 'service', service, sourceArn, sourceAccount: account.accountId },
    action: 'sts:AssumeRole',
    resource: roleArn,
    resourceAccount: account.accountId,
    resourcePolicy: role.assumeRolePolicy,
  });
  if (!decision.allowed) throw new ServiceRoleError(decision.message);
  const { accountId } = account;
  const arn = `arn:aws:sts::${accountId}:assumed-role/${role.name}/${sessionName}`;
  return { kind: 'role-session', accountId, arn, roleArn, sessionName };
}
