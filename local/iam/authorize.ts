import { type Account, type ManagedPolicy, type PolicyDocument, type Role } from '../account';
import { type Decision, denied, evaluatePolicies, type NamedPolicy, type PolicyRequest } from './evaluate';

/** A request to a resource of the local account, or of another one whose policy is handed in. */
export interface AuthorizationRequest extends PolicyRequest {
  /** The policy of the resource: for an `sts:AssumeRole` the role's trust policy, for a `kms:` action the key policy. */
  resourcePolicy?: PolicyDocument;
}

const ADMINISTRATOR: NamedPolicy = {
  name: 'AdministratorAccess',
  document: { Version: '2012-10-17', Statement: { Effect: 'Allow', Action: '*', Resource: '*' } },
};

/** Policies that AWS owns and roles may name; any other must be in the account. */
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
};

/**
 * Decides a request with the policies that the account holds at this moment.
 * A role that is gone has no policies; one that names a managed policy which isn't in the account is denied everything.
 */
export function authorize(account: Account, request: AuthorizationRequest): Decision {
  const asked: PolicyRequest = {
    ...request,
    context: {
      'aws:RequestedRegion': account.region,
      // On AWS every SDK endpoint is https. A policy under test must not depend on the laptop's loopback transport.
      'aws:SecureTransport': 'true',
      ...request.context,
    },
  };
  const resource = request.resourcePolicy;
  if (request.principal.kind === 'administrator')
    return evaluatePolicies(asked, { identity: [ADMINISTRATOR], resource });
  if (request.principal.kind === 'service') return evaluatePolicies(asked, { identity: [], resource });

  const role = account.roles.get(request.principal.roleArn);
  const missing = role && managedArns(role).find((arn) => !findManaged(account, arn));
  if (missing !== undefined) {
    return denied(asked, `because the local account has no managed policy ${missing}, which the role names`);
  }
  return evaluatePolicies(asked, {
    identity: role ? [...role.inlinePolicies, ...named(account, role.managedPolicyArns)] : [],
    boundary: role?.permissionsBoundaryArn ? named(account, [role.permissionsBoundaryArn])[0] : undefined,
    resource,
  });
}

function managedArns(role: Role): string[] {
  return [...role.managedPolicyArns, ...(role.permissionsBoundaryArn ? [role.permissionsBoundaryArn] : [])];
}

function named(account: Account, arns: readonly string[]): NamedPolicy[] {
  return arns.flatMap((arn) => {
    const policy = findManaged(account, arn);
    return policy ? [{ name: arn, document: policy.document }] : [];
  });
}

function findManaged(account: Account, arn: string): ManagedPolicy | undefined {
  const owned = AWS_MANAGED_POLICIES[arn];
  return account.managedPolicies.get(arn) ?? (owned && { arn, document: owned });
}
