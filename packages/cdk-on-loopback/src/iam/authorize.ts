import { type Account, type PolicyDocument, type Role } from '../account';
import { accessDenied } from '../aws/aws-error';
import { type Decision, denied, evaluatePolicies, type NamedPolicy, type PolicyRequest } from './evaluate';
import { type Principal } from './principal';

/** A request to a resource of this account, or of another account whose policy is given. */
export interface AuthorizationRequest extends Omit<PolicyRequest, 'resourceAccount'> {
  /** @default the one in the resource's ARN, or this account */
  resourceAccount?: string;
  /** The resource's policy: a role's trust policy for `sts:AssumeRole`, the key policy for `kms:` actions. */
  resourcePolicy?: PolicyDocument;
}

const ADMINISTRATOR: NamedPolicy = {
  name: 'AdministratorAccess',
  document: { Version: '2012-10-17', Statement: { Effect: 'Allow', Action: '*', Resource: '*' } },
};

/** The supported AWS managed policies. Any other managed policy must be in the account. */
const AWS_MANAGED_POLICIES: Readonly<Record<string, PolicyDocument>> = {
  // AWS managed policy reference guide, AmazonAPIGatewayPushToCloudWatchLogs
  'arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs': {
    Version: '2012-10-17',
    Statement: {
      Effect: 'Allow',
      Action: [
        'logs:CreateLogGroup',
        'logs:CreateLogStream',
        'logs:DescribeLogGroups',
        'logs:DescribeLogStreams',
        'logs:PutLogEvents',
        'logs:GetLogEvents',
        'logs:FilterLogEvents',
      ],
      Resource: '*',
    },
  },
  // AWS managed policy reference guide, AWSLambdaBasicExecutionRole
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole': {
    Version: '2012-10-17',
    Statement: {
      Effect: 'Allow',
      Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: '*',
    },
  },
  // AWSLambdaVPCAccessExecutionRole, without the actions of EC2, which nothing here has
  'arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole': {
    Version: '2012-10-17',
    Statement: {
      Effect: 'Allow',
      Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: '*',
    },
  },
};

/**
 * Authorizes a request with the policies that the account holds now. A deleted role has no policies; a role with a
 * managed policy that is not in the account is denied everything.
 */
export function authorize(account: Account, request: AuthorizationRequest): Decision {
  const policyRequest: PolicyRequest = {
    resourceAccount: accountIn(request.resource) ?? account.accountId,
    ...request,
    context: {
      'aws:RequestedRegion': account.region,
      // SDK endpoints on AWS use HTTPS, so policies must not depend on the loopback transport.
      'aws:SecureTransport': 'true',
      'aws:PrincipalOrgID': organizationOf(account, request.principal),
      ...request.context,
    },
  };
  const resource = request.resourcePolicy;
  if (request.principal.kind === 'administrator')
    return evaluatePolicies(policyRequest, { identity: [ADMINISTRATOR], resource });
  if (request.principal.kind === 'service')
    return evaluatePolicies(policyRequest, { identity: [], resource });

  const { roleArn, sessionPolicy } = request.principal;
  const role = account.roles.get(roleArn);
  const missing = role && managedArns(role).find((arn) => !managedPolicy(account, arn));
  if (missing !== undefined) {
    const reason = `because the local account has no managed policy ${missing}, which the role names`;
    return denied(policyRequest, reason);
  }
  const managed = role?.managedPolicyArns.flatMap((arn) => managedPolicy(account, arn) ?? []);
  return evaluatePolicies(policyRequest, {
    identity: [...(role?.inlinePolicies ?? []), ...(managed ?? [])],
    boundary: managedPolicy(account, role?.permissionsBoundaryArn ?? ''),
    session: sessionPolicy && { name: 'session policy', document: sessionPolicy },
    resource,
  });
}

/** The account id in an ARN; undefined if it has none, or the text is not an ARN. */
function accountIn(arn: string): string | undefined {
  return arn.startsWith('arn:') ? arn.split(':')[4] || undefined : undefined;
}

/** Who asks, and for which account's resources. */
interface Caller {
  readonly account: Account;
  readonly principal: Principal;
}

/** @throws {AwsError} AccessDeniedException with AWS's text, if the current policies do not allow it */
export function requireAllowed(
  { account, principal }: Caller,
  permission: Omit<AuthorizationRequest, 'principal' | 'resourceAccount'>,
): void {
  const decision = authorize(account, { ...permission, principal });
  if (!decision.allowed) throw accessDenied(decision.message);
}

/** Requires that a function may be invoked, by its policy or the caller's. @throws {AwsError} AccessDeniedException */
export function requireInvocationAllowed(caller: Caller, functionArn: string): void {
  requireAllowed(caller, {
    action: 'lambda:InvokeFunction',
    resource: functionArn,
    resourcePolicy: caller.account.functions.get(functionArn)?.resourcePolicy,
  });
}

/**
 * Absent for services, and for principals of an account without an organization.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalorgid
 */
function organizationOf({ organizations }: Account, principal: Principal): string | undefined {
  return principal.kind === 'service' ? undefined : organizations.get(principal.accountId);
}

function managedArns(role: Role): string[] {
  return [...role.managedPolicyArns, ...(role.permissionsBoundaryArn ? [role.permissionsBoundaryArn] : [])];
}

function managedPolicy(account: Account, arn: string): NamedPolicy | undefined {
  const document = account.managedPolicies.get(arn)?.document ?? AWS_MANAGED_POLICIES[arn];
  return document && { name: arn, document };
}
