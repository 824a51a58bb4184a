import { parseSessionPolicy } from '../iam/policy-document';
import { userIdOf } from '../iam/principal';
import { requireAllowed } from '../iam/authorize';
import { accessDenied, AwsError } from './aws-error';
import { type Input } from './input';
import { type Operations } from './operation';

export const STS_OPERATIONS: Operations = {
  /** Requires no permission, as on AWS. */
  GetCallerIdentity: {
    parameters: [],
    run(_input, { principal }) {
      if (principal.kind === 'service') throw accessDenied('a service has no caller identity');
      return { Arn: principal.arn, UserId: userIdOf(principal), Account: principal.accountId };
    },
  },

  /**
   * Issues a temporary key for a session of a role whose trust policy allows the caller. Managed session policies, tags and
   * MFA are not supported.
   */
  AssumeRole: {
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
      const sessionPolicy = policy === undefined ? undefined : parseSessionPolicy(policy);
      requireAllowed(call, {
        action: 'sts:AssumeRole',
        resource: roleArn,
        resourcePolicy: call.account.roles.get(roleArn)?.assumeRolePolicy,
        context: { 'sts:RoleSessionName': sessionName, 'sts:ExternalId': externalId },
      });
      const key = call.credentials.issueForRole(roleArn, sessionName, {
        withSessionToken: true,
        lifeMs: lifeSec * 1000,
        sessionPolicy,
      });
      return {
        Credentials: {
          AccessKeyId: key.accessKeyId,
          SecretAccessKey: key.secretAccessKey,
          SessionToken: key.sessionToken ?? '',
          Expiration: new Date(key.expiresAtMs ?? 0).toISOString(),
        },
        AssumedRoleUser: {
          AssumedRoleId: userIdOf(key.principal),
          Arn: key.principal.arn,
        },
      };
    },
  },
};

function readLifeSec(input: Input): number {
  const text = input.optionalText('DurationSeconds') ?? '3600';
  const lifeSec = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (lifeSec >= 900 && lifeSec <= 43_200) return lifeSec;
  throw new AwsError('ValidationError', 'DurationSeconds must be between 900 and 43200.');
}
