import { parseSessionPolicy } from '../iam/policy-document';
import { AwsError } from './aws-error';
import { type Input } from './input';
import { type Call, requireAllowed } from './operation';

/** An STS operation. It returns the members of its result in order; a nested record becomes a nested element. */
interface QueryOperation {
  readonly parameters: readonly string[];
  /** @throws {AwsError} */
  run(input: Input, call: Call): QueryResult;
}

/** A result in the query protocol. */
export interface QueryResult {
  readonly [member: string]: string | QueryResult;
}

/** Requires no permission, as on AWS. @see STS API reference, API_GetCallerIdentity */
const getCallerIdentity: QueryOperation = {
  parameters: [],
  run(_input, { principal }) {
    if (principal.kind === 'service')
      throw new AwsError('AccessDeniedException', 'a service has no caller identity');
    const UserId =
      principal.kind === 'role-session' ? `AROALOCAL:${principal.sessionName}` : 'AIDALOCALADMINISTRATOR';
    return { Arn: principal.arn, UserId, Account: principal.accountId };
  },
};

/**
 * Issues a temporary key for a session of a role whose trust policy allows the caller. Managed session policies, tags and
 * MFA are not supported.
 * @see STS API reference, API_AssumeRole
 */
const assumeRole: QueryOperation = {
  parameters: ['RoleArn', 'RoleSessionName', 'DurationSeconds', 'ExternalId', 'Policy'],
  run(input, call) {
    const roleArn = input.text('RoleArn', { min: 20, max: 2048 });
    const sessionName = input.text('RoleSessionName', { min: 2, max: 64 });
    if (!/^[\w+=,.@-]+$/.test(sessionName)) {
      throw new AwsError('ValidationError', 'RoleSessionName may hold letters, digits and _+=,.@- only.');
    }
    const externalId = input.optionalText('ExternalId', { min: 2, max: 1224 });
    const lifeSec = readLifeSec(input);
    const policy = input.optionalText('Policy', { max: 2048 });
    const sessionPolicy = policy && parseSessionPolicy(policy);
    requireAllowed(call, {
      action: 'sts:AssumeRole',
      resource: roleArn,
      resourcePolicy: call.account.roles.get(roleArn)?.assumeRolePolicy,
      context: {
        'sts:RoleSessionName': sessionName,
        ...(externalId ? { 'sts:ExternalId': externalId } : {}),
      },
    });
    const key = call.credentials.issueForRole(roleArn, sessionName, {
      withSessionToken: true,
      lifeMs: lifeSec * 1000,
      ...(sessionPolicy && { sessionPolicy }),
    });
    return {
      Credentials: {
        AccessKeyId: key.accessKeyId,
        SecretAccessKey: key.secretAccessKey,
        SessionToken: key.sessionToken ?? '',
        Expiration: new Date(key.expiresAtMs ?? 0).toISOString(),
      },
      AssumedRoleUser: {
        AssumedRoleId: `AROALOCAL:${sessionName}`,
        Arn: key.principal.kind === 'service' ? '' : key.principal.arn,
      },
    };
  },
};

/** The STS operations supported here. */
export const STS_OPERATIONS: Readonly<Record<string, QueryOperation>> = {
  AssumeRole: assumeRole,
  GetCallerIdentity: getCallerIdentity,
};

function readLifeSec(input: Input): number {
  const text = input.optionalText('DurationSeconds') ?? '3600';
  const lifeSec = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (lifeSec >= 900 && lifeSec <= 43_200) return lifeSec;
  throw new AwsError('ValidationError', 'DurationSeconds must be between 900 and 43200.');
}
