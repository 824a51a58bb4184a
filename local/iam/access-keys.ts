import { randomBytes, timingSafeEqual } from 'node:crypto';
import { AwsError } from '../aws/aws-error';
import { type Clock } from '../interfaces';
import { type Principal } from './principal';

const SESSION_LIFE_MS = 12 * 60 * 60 * 1000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What a client signs its requests with. */
export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
  /** Present exactly for temporary keys (`ASIA…`). */
  sessionToken?: string;
  /** When a temporary key ends, in milliseconds since 1970. */
  expiresAtMs?: number;
  principal: Principal;
}

/** Looks up who a request claims to be. */
export interface CredentialLookup {
  /**
   * @throws {AwsError} UnrecognizedClientException for an unknown key or a wrong or missing session token, ExpiredTokenException after its end.
   */
  find(accessKeyId: string, sessionToken: string | undefined): AccessKey;
}

/** Issues access keys of the local account. They live in the memory of this process only, and no two runs share any. */
export class Credentials implements CredentialLookup {
  private readonly accountId: string;
  private readonly clock: Clock;
  private readonly keys = new Map<string, AccessKey>();

  constructor(accountId: string, clock: Clock) {
    this.accountId = accountId;
    this.clock = clock;
  }

  /** A long-lived key of the account's administrator. */
  issueForAdministrator(): AccessKey {
    const arn = `arn:aws:iam::${this.accountId}:user/administrator`;
    return this.issue('AKIA', { kind: 'administrator', accountId: this.accountId, arn });
  }

  /**
   * A key for a session of a role of the account; the caller has checked that the role may be assumed.
   * With a session token it is temporary and lasts `lifeMs` (12 h by default) on the run's clock, as functions get it;
   * without one it stays valid for the whole run, for a person who works as that role.
   */
  issueForRole(
    roleArn: string,
    sessionName: string,
    { withSessionToken, lifeMs = SESSION_LIFE_MS }: { withSessionToken: boolean; lifeMs?: number },
  ): AccessKey {
    const [, , , , accountId = this.accountId] = roleArn.split(':');
    const roleName = roleArn.slice(roleArn.lastIndexOf('/') + 1);
    const principal: Principal = {
      kind: 'role-session',
      accountId,
      arn: `arn:aws:sts::${accountId}:assumed-role/${roleName}/${sessionName}`,
      roleArn,
      sessionName,
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

  /** Who holds a key. @throws {AwsError} as {@link find}. */
  principalOf(accessKeyId: string, sessionToken?: string): Principal {
    return this.find(accessKeyId, sessionToken).principal;
  }

  private issue(
    prefix: string,
    principal: Principal,
    session: Pick<AccessKey, 'sessionToken' | 'expiresAtMs'> = {},
  ): AccessKey {
    this.forgetExpired();
    const accessKeyId = prefix + Array.from(randomBytes(16), (byte) => BASE32[byte % 32]).join('');
    const key = { accessKeyId, secretAccessKey: randomBytes(30).toString('base64'), ...session, principal };
    this.keys.set(accessKeyId, key);
    return key;
  }

  /** A key that ended a life ago is forgotten, so that a long run doesn't grow; until then it is told apart from an unknown one. */
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
