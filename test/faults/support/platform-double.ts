import { createHash } from 'node:crypto';

import { type TokenType } from '../../../core/tokens/token-key';
import { type Canary } from '../../support/canaries';

const LIFE_SEC = 3600;

/** The platform's reply: an answer, or the reason why there is none. */
export type Reply =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body: string }
  /** The connection stays open, but nothing more arrives. */
  | { kind: 'silence'; after: 'request' | 'half the answer' }
  /** The connection breaks. */
  | { kind: 'reset'; after: 'request' | 'half the answer' }
  /** No connection; `code` is Node's error code. On virtual time only. */
  | { kind: 'unreachable'; code: string };

/** How the platform handles one well-formed, authorized request. `issue` creates a token that counts as issued. */
export type Turn = (issue: () => string) => Reply;

/** Answers requests, in a virtual transport or a server. */
export interface Platform {
  /** @param headers names in lower case */
  reply(path: string, body: string, headers: Readonly<Record<string, unknown>>): Reply;
}

/** An issued token, with the facts that only the platform knows. */
export interface IssueRecord {
  accessToken: string;
  tenantId: string;
  interface: string;
  scope: string;
  expiresAtMs: number;
}

/** A received token request. */
export interface ArrivedRequest {
  tenantId: string;
  interface: string;
  scope: string;
  /** By the platform's clock. */
  atMs: number;
}

/**
 * The platform's token endpoints. Issues tokens by its own clock unless scripted otherwise, and remembers
 * them. Has no I/O: the worlds put it behind a virtual transport or a TLS server.
 * @see the platform's specification, "1. Request an access token"
 */
export class PlatformDouble implements Platform {
  readonly requests: ArrivedRequest[] = [];
  readonly issued: IssueRecord[] = [];
  /** Handlers of the next requests, one each. */
  readonly script: Turn[] = [];
  /** Handles requests once the script is used up. */
  always: Turn = tokenAnswer();
  /** All secrets that it issued or received, none of which may be visible. */
  readonly canaries: Canary[] = [];
  /** The true time. */
  readonly nowMs: () => number;
  readonly #live = new Map<string, { clientSecret: string; tenantId: string }>();

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** Issues a credential as the platform's support does; earlier ones stay valid. */
  issueCredential(tenantId: string): { clientId: string; clientSecret: string } {
    const clientId = this.plant(`client id ${this.#live.size} of ${tenantId}`, 'é "');
    const clientSecret = this.plant(`client secret ${this.#live.size} of ${tenantId}`, ' "\\é/+&');
    this.#live.set(clientId, { clientSecret, tenantId });
    return { clientId, clientSecret };
  }

  /** Issues a token without a request. */
  issue(tenantId: string, { interface: of, scope }: TokenType, atMs = this.nowMs()): IssueRecord {
    const accessToken = this.plant(`token ${this.issued.length} of ${tenantId}`, '"\\/+&=');
    const record = {
      accessToken,
      tenantId,
      interface: of,
      scope,
      expiresAtMs: atMs + LIFE_SEC * 1000,
    };
    this.issued.push(record);
    return record;
  }

  /** Creates a canary, which the common set searches for. */
  plant(name: string, odd = ''): string {
    const value = `${unmistakable(name)}${odd}`;
    this.canaries.push({ name, value });
    return value;
  }

  /** Answers a POST with this body. */
  reply(path: string, body: string): Reply {
    const [, of, tenantId] = /^\/(content|webhooks)\/oauth2\/token\/([^/]+)$/.exec(path) ?? [];
    if (of === undefined || tenantId === undefined) return oauthError(404);
    const { scope, grant_type, client_id, client_secret } = JSON.parse(body) as Record<string, string>;
    this.requests.push({ tenantId, interface: of, scope: scope!, atMs: this.nowMs() });
    const credential = this.#live.get(client_id!);
    const isLive = credential?.clientSecret === client_secret && credential?.tenantId === tenantId;
    if (!isLive || grant_type !== 'client_credentials') return oauthError(401, 'invalid_client');
    const turn = this.script.shift() ?? this.always;
    const reply = turn(() => this.issue(tenantId, { interface: of, scope } as TokenType).accessToken);
    if (reply.kind !== 'answer') return reply;
    return { ...reply, headers: { date: new Date(this.nowMs()).toUTCString(), ...reply.headers } };
  }
}

/** Issues a token. `change` replaces fields of the answer; undefined removes one. */
export function tokenAnswer(change: Record<string, unknown> = {}): Turn {
  return (issue) => ({
    kind: 'answer',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      access_token: issue(),
      expires_in: LIFE_SEC,
      token_type: 'Bearer',
      ...change,
    }),
  });
}

/** A refusal as in RFC 6749, section 5.2, or another status with a meaningless body. */
export function oauthError(status: number, error = 'x', headers: Record<string, string> = {}): Reply {
  const body = JSON.stringify({ error, error_description: 'injected' });
  return { kind: 'answer', status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** The connection breaks after processing: a token was issued that nobody receives. */
export function processedThenReset(after: 'request' | 'half the answer'): Turn {
  return (issue) => {
    issue();
    return { kind: 'reset', after };
  };
}

/** Letters that do not occur in digests, UUIDs and names. */
const LETTERS = 'ghjkmnpqrstvwxyzGHJKMNPQRSTVWXYZ';

function unmistakable(name: string): string {
  return [...createHash('sha256').update(name).digest()]
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join('');
}
