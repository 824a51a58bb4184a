import { type Account } from './account';
import { accessDenied } from './aws/aws-error';
import { requireAllowed } from './iam/authorize';
import { type RolePrincipal, servicePrincipal } from './iam/principal';

/**
 * Assumes a role as an AWS service does.
 * @param service for example `lambda.amazonaws.com`
 * @param sourceArn the resource on behalf of which the service acts
 * @throws {AwsError} AccessDeniedException if the role does not exist, or its trust policy does not allow the service
 */
export function assumeAsService(
  account: Account,
  roleArn: string,
  sessionName: string,
  { service, sourceArn }: { service: string; sourceArn: string },
): RolePrincipal {
  const role = account.roles.get(roleArn);
  if (!role) throw accessDenied(`the account has no role ${roleArn}`);
  requireAllowed(
    { account, principal: servicePrincipal(service, sourceArn, account) },
    { action: 'sts:AssumeRole', resource: roleArn, resourcePolicy: role.assumeRolePolicy },
  );
  const { accountId } = account;
  const arn = `arn:aws:sts::${accountId}:assumed-role/${role.name}/${sessionName}`;
  return { kind: 'role-session', accountId, arn, roleArn, sessionName };
}
