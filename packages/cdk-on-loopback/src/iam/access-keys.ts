import { randomBytes, timingSafeEqual } from 'node:crypto';
import { AwsError } from '../aws/aws-error';
import { type Clock } from '../interfaces';
import { type PolicyDocument } from '../account';
import { type Principal, type RolePrincipal } from './principal';

const SESSION_LIFE_MS = 12 * 60 * 60 * 1000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The key with which a client signs its requests. */
export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
  /** Present for temporary keys (`ASIA…`) only. */
  sessionToken?: string;
  /** When a temporary key expires, in milliseconds since 1970. */
  expiresAtMs?: number;
  principal: Principal;
}

/** Finds the owner of an access key. */
export interface CredentialLookup {
  /**
   * @throws {AwsError} UnrecognizedClientException if the key is unknown or the session token wrong or missing;
   * ExpiredTokenException if the key has expired
   */
  find(accessKeyId: string, sessionToken: string | undefined): AccessKey;
}

/** Issues the local account's access keys. They exist in this process's memory only. */
export class Credentials implements CredentialLookup {
  private readonly accountId: string;
  private readonly clock: Clock;
  private readonly keys = new Map<string, AccessKey>();

  constructor(accountId: string, clock: Clock) {
    this.accountId = accountId;
    this.clock = clock;
  }

  /** Issues a long-lived key of the account's administrator. */
  issueForAdministrator(): AccessKey {
    const arn = `arn:aws:iam::${this.accountId}:user/administrator`;
    return this.issue('AKIA', { kind: 'administrator', accountId: this.accountId, arn });
  }

  /**
   * Issues a key for a session of a role. The caller has checked that the role may be assumed.
   * With a session token, the key expires after `lifeMs` (12 h by default) on the run's clock. Without one, it is valid
   * for the whole run, for a person who works in that role.
   */
  issueForRole(
    roleArn: string,
    sessionName: string,
    {
      withSessionToken,
      lifeMs = SESSION_LIFE_MS,
      sessionPolicy,
    }: { withSessionToken: boolean; lifeMs?: number; sessionPolicy?: PolicyDocument },
  ): AccessKey & { principal: RolePrincipal } {
    const [, , , , accountId = this.accountId] = roleArn.split(':');
    const roleName = roleArn.slice(roleArn.lastIndexOf('/') + 1);
    const principal: RolePrincipal = {
      kind: 'role-session',
      accountId,
      arn: `arn:aws:sts::${accountId}:assumed-role/${roleName}/${sessionName}`,
      roleArn,
      sessionName,
      sessionPolicy,
    };
    if (!withSessionToken) return this.issue('AKIA', principal);
    return this.issue('ASIA', principal, {
      sessionToken: randomBytes(192).toString('base64'),
      expiresAtMs: this.clock.nowMs() + lifeMs,
    });
  }

  find(accessKeyId: string, sessionToken: string | undefined): AccessKey {
    const key = this.keys.get(accessKeyId);
    if (!key || !isSameToken(key.sessionToken, sessionToken)) {
      throw new AwsError(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    }
    if (key.expiresAtMs !== undefined && this.clock.nowMs() >= key.expiresAtMs) {
      throw new AwsError('ExpiredTokenException', 'The security token included in the request is expired');
    }
    return key;
  }

  private issue<Owner extends Principal>(
    prefix: string,
    principal: Owner,
    session: Pick<AccessKey, 'sessionToken' | 'expiresAtMs'> = {},
  ): AccessKey & { principal: Owner } {
    this.forgetExpired();
    const accessKeyId = prefix + Array.from(randomBytes(16), (byte) => BASE32[byte % 32]).join('');
    const key = { accessKeyId, secretAccessKey: randomBytes(30).toString('base64'), ...session, principal };
    this.keys.set(accessKeyId, key);
    return key;
  }

  /** Forgets keys long after they expired, which bounds memory. Until then, `find` reports them as expired, not unknown. */
  private forgetExpired(): void {
    const nowMs = this.clock.nowMs();
    for (const [id, { expiresAtMs }] of this.keys) {
      if (expiresAtMs !== undefined && nowMs > expiresAtMs + SESSION_LIFE_MS) this.keys.delete(id);
    }
  }
}

function isSameToken(expected: string | undefined, given: string | undefined): boolean {
  if (expected === undefined || given === undefined) return expected === given;
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
