import { type DeploymentFile, type RestoreOperation } from '../../../core/deployment/deployment-file';
import { type ActingUser } from '../../../core/restore/restore-operation';
import { type TenantKey } from '../../../core/tokens/token-key';
import { type UpstreamTokenError } from '../../../core/tokens/upstream-token-error';
import {
  type Clock,
  type ContentPlatform,
  type UpstreamResult,
  type UpstreamToken,
  type UpstreamTokens,
} from '../../../lambdas/shared/ports';
import { type IncomingRequest, parseRestoreRequest } from '../../../lambdas/restore/restore-request';
import { OperationAvailability } from '../../../lambdas/restore/operation-availability';
import { restoreContent } from '../../../lambdas/restore/restore-content';
import { CountingMetrics } from './counting-metrics';
import { deploymentOf, TENANT_ID } from './token-functions';
import { VirtualClock } from './virtual-clock';

export const CONTENT_ID = '64b7f0c2a1b2c3d4e5f60718';
export const ACTING_USER: ActingUser = { authorRef: 'author-1' };

/** A deployment with restore, whose tenants have the tokens api/read and api/write. */
export function restoringDeploymentOf(
  tenantIds: readonly string[] = [TENANT_ID],
  restore: Partial<RestoreOperation> = {},
): DeploymentFile {
  const deployment = deploymentOf(tenantIds);
  return {
    ...deployment,
    restore: { ...deployment.restore, available: true, ...restore },
    tenants: deployment.tenants.map((tenant) => ({
      ...tenant,
      tokens: [
        { interface: 'content', scope: 'api/read' },
        { interface: 'content', scope: 'api/write' },
        { interface: 'webhooks', scope: 'api/all' },
      ],
    })),
  };
}

/** A valid request as it comes from API Gateway. */
export function requestOf(change: Partial<Omit<IncomingRequest, 'body'>> & { body?: unknown } = {}) {
  const { body = ACTING_USER, ...rest } = change;
  return {
    contentId: CONTENT_ID,
    contentTypes: ['application/json'],
    body: Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body),
    ...rest,
  };
}

/**
 * The body of a successful restore.
 * @see the platform's specification, "Content record as returned by restore" and "Item"
 */
export function recordOf(id = CONTENT_ID, change: object = {}): string {
  const items = [{ id: 'item-1', type: 'video', rank: 1, summary: 'Intro', status: 'ok' }];
  return JSON.stringify({ id, status: 'published', items, ...change });
}

export function answerOf(status: number, body = '', retryAfter?: string): UpstreamResult {
  return { kind: 'answered', status, body, retryAfter };
}

/** Returns a new token on every call, unless a failure is scripted. */
class ScriptedTokens implements UpstreamTokens {
  readonly calls: { tenant: TenantKey; deadlineMs: number; rejected: UpstreamToken | undefined }[] = [];
  /** Failures of the next calls, in order; undefined lets a call succeed. */
  readonly failures: (UpstreamTokenError | undefined)[] = [];
  /** Durations of the next calls, in ms. */
  readonly latenciesMs: number[] = [];
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  async get(tenant: TenantKey, deadlineMs: number, rejected?: UpstreamToken): Promise<UpstreamToken> {
    this.calls.push({ tenant, deadlineMs, rejected });
    this.#clock.advance(this.latenciesMs.shift() ?? 0);
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    return { accessToken: `token-${this.calls.length}` };
  }
}

/** A platform that knows `restore` and `publish`, and validates a request before it looks for the content. */
export function offeringRestore(path: string): UpstreamResult {
  return /\/(restore|publish)$/.test(path)
    ? answerOf(422, JSON.stringify({ status: 422, message: 'at least one of authorRef and collaborationId' }))
    : lackingOperation(path);
}

/** A platform that knows `publish`, but not `restore`. */
export function withoutRestore(path: string): UpstreamResult {
  return path.endsWith('/restore') ? lackingOperation(path) : offeringRestore(path);
}

/** The answer for an operation that does not exist. */
export function lackingOperation(path: string): UpstreamResult {
  return answerOf(404, JSON.stringify({ status: 404, error: 'Not Found', message: `no such path: ${path}` }));
}

/** Restores every content, unless scripted otherwise. */
export class ScriptedPlatform implements ContentPlatform {
  readonly requests: {
    contentId: string;
    actingUser: ActingUser;
    accessToken: string;
    deadlineMs: number;
  }[] = [];
  readonly script: UpstreamResult[] = [];
  /** The result of a request once the script is used up. */
  always: (contentId: string, actingUser: ActingUser) => UpstreamResult = (contentId) =>
    answerOf(200, recordOf(contentId));

  async restore(
    contentId: string,
    actingUser: ActingUser,
    { accessToken }: UpstreamToken,
    deadlineMs: number,
  ): Promise<UpstreamResult> {
    this.requests.push({ contentId, actingUser, accessToken, deadlineMs });
    return this.script.shift() ?? this.always(contentId, actingUser);
  }

  readonly probes: string[] = [];
  probed: (path: string, token: UpstreamToken) => UpstreamResult | Promise<UpstreamResult> = offeringRestore;

  async probe(path: string, token: UpstreamToken): Promise<UpstreamResult> {
    this.probes.push(path);
    return this.probed(path, token);
  }
}

/** The restore function's use case on virtual time, with fake ports. */
export class RestoreFunction {
  readonly clock = new VirtualClock();
  readonly tokens = new ScriptedTokens(this.clock);
  /** Without renewals. */
  readonly storedTokens = new ScriptedTokens(this.clock);
  readonly platform = new ScriptedPlatform();
  deployment = restoringDeploymentOf();
  patienceMs = 26_500;

  readonly metrics = new CountingMetrics();
  #availability: OperationAvailability | undefined;

  get ports() {
    const { deployment, tokens, platform, metrics } = this;
    const clock: Clock = this.clock;
    this.#availability ??= new OperationAvailability({ deployment, platform, clock, metrics });
    return {
      deployment,
      tokens,
      readStoredTokens: () => this.storedTokens,
      platform,
      clock,
      availability: this.#availability,
    };
  }

  restore(request: IncomingRequest = requestOf(), tenantId = TENANT_ID) {
    const parsed = parseRestoreRequest(request);
    return restoreContent(this.ports, tenantId, parsed, this.clock.monotonicMs() + this.patienceMs);
  }
}
