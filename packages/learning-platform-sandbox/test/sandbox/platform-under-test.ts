import { deploymentPaths } from '../../src/sandbox/addresses';
import { type Fault, isAnswering } from '../../src/sandbox/fault';
import { sandboxApp } from '../../src/sandbox/sandbox';
import { createState, type StateOptions } from '../../src/sandbox/sandbox-state';
import { type DeploymentKey, type Interface } from '../../src/sandbox/deployment-key';

import { undocumented } from './openapi/undocumented';
import { WatchedFaults } from './openapi/watched-faults';

/** The time at which every test starts. */
export const NOON_MS = Date.UTC(2026, 0, 31, 12);
export const STAGING_MEA: DeploymentKey = { environment: 'staging', platformRegion: 'mea' };
const LIVE_GLOBAL: DeploymentKey = { environment: 'production', platformRegion: 'global' };
export const TENANT = { ...STAGING_MEA, tenantId: 'me-south-1_Staging' };
export const NEIGHBOUR = { ...STAGING_MEA, tenantId: 'me-south-1_Neighbor' };
export const LIVE_TENANT = { ...LIVE_GLOBAL, tenantId: 'eu-west-2_Live' };

export const SEED = {
  deployments: [
    { ...STAGING_MEA, tenants: [{ tenantId: TENANT.tenantId }, { tenantId: NEIGHBOUR.tenantId }] },
    { ...LIVE_GLOBAL, tenants: [{ tenantId: LIVE_TENANT.tenantId }] },
  ],
};

/** A response with its body, parsed if it is JSON, otherwise as text. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}
interface Call {
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}
export interface TenantState extends DeploymentKey {
  readonly tenantId: string;
  readonly archivedContentIds: readonly [string, ...string[]];
  readonly authorRefs: readonly [string, ...string[]];
  readonly collaborationIds: readonly [string, ...string[]];
}

/** The session headers that an administrator copies from the browser. */
export interface SessionValues {
  readonly authorization: string;
  readonly correlationId: string;
}

/** The mutation in the specification. */
export const MUTATION =
  'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }';
/** The status that stands for a broken connection. */
const BROKEN = 0;
const TENANT_SERVICES = { staging: '/tenant-service/staging', production: '/tenant-service/live' };

/** A sandbox in this process, with helpers for what support, an administrator and a client do. */
export class PlatformUnderTest {
  /** For tests that serve it over the network. */
  readonly app;
  readonly #faults = new WatchedFaults();

  constructor(
    seed: object = {},
    {
      onUnexpectedError,
      ...options
    }: Omit<StateOptions, 'faults'> & { onUnexpectedError?: (error: Error) => void } = {},
  ) {
    const faults = this.#faults;
    const state = createState({ ...SEED, ...seed }, { nowMs: () => NOON_MS, ...options, faults });
    this.app = sandboxApp(state, onUnexpectedError);
  }

  /** Sends a request. Does not read the body of the answer. */
  async sendRaw(method: string, path: string, { json, body, headers, signal }: Call = {}): Promise<Response> {
    return this.app.request(path, {
      method,
      signal,
      body: json === undefined ? body : JSON.stringify(json),
      headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
  }

  /** Sends a request and checks the answer against the OpenAPI documents, unless a fault sent it. */
  async send(method: string, path: string, call: Call = {}): Promise<Answer> {
    const { answer: response, met } = await this.#faults.watch(() => this.sendRaw(method, path, call));
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const { status, headers } = response;
    const answer = { status, headers, body: isJson ? (JSON.parse(text) as unknown) : text };
    if (status !== BROKEN && !(met && isFaultsOwn(met))) {
      const request = { method, path, headers: lowerCased(call.headers), json: jsonOf(call) };
      expect({ method, path, status, undocumented: undocumented(request, answer) }).toEqual({
        method,
        path,
        status,
        undocumented: [],
      });
    }
    return answer;
  }

  control(method: string, path: string, json?: unknown): Promise<Answer> {
    return this.send(method, `/_sandbox/${path}`, { json });
  }

  addFault(fault: object): Promise<Answer> {
    return this.control('POST', 'faults', fault);
  }

  async tenant(tenantId = TENANT.tenantId): Promise<TenantState> {
    const { tenants } = (await this.control('GET', 'tenants')).body as { tenants: TenantState[] };
    return tenants.find((tenant) => tenant.tenantId === tenantId)!;
  }

  async issueCredential(owner = TENANT) {
    const { body } = await this.control('POST', 'credentials', owner);
    const { clientId, clientSecret } = body as { clientId: string; clientSecret: string };
    return { client_id: clientId, client_secret: clientSecret };
  }

  /** Requests a token for a new credential; `change` replaces fields of the body. */
  async requestToken(owner = TENANT, of: Interface = 'content', change: object = {}): Promise<Answer> {
    const credential = await this.issueCredential(owner);
    const path = deploymentPaths(owner)[of === 'content' ? 'contentToken' : 'webhooksToken'];
    return this.send('POST', `${path}/oauth2/token/${owner.tenantId}`, {
      json: { scope: 'api/all', grant_type: 'client_credentials', ...credential, ...change },
    });
  }

  async bearer(scope = 'api/write', owner = TENANT, of: Interface = 'content') {
    const { body } = await this.requestToken(owner, of, { scope });
    return { authorization: `Bearer ${(body as { access_token: string }).access_token}` };
  }

  async basic(owner = TENANT) {
    const { apiKey } = (await this.control('POST', 'api-keys', owner)).body as { apiKey: string };
    return basic(owner.tenantId, apiKey);
  }

  async logIn(owner: DeploymentKey & { tenantId: string } = TENANT, options: object = {}) {
    const { body } = await this.control('POST', 'sessions', { ...owner, ...options });
    return body as SessionValues;
  }

  /** Sends a GraphQL document to the tenant service with the session's headers. */
  graphql(
    session: SessionValues,
    query: unknown = MUTATION,
    environment: DeploymentKey['environment'] = 'staging',
  ): Promise<Answer> {
    return this.send('POST', `${TENANT_SERVICES[environment]}/tenants`, {
      json: { query },
      headers: { authorization: session.authorization, 'correlation-id': session.correlationId },
    });
  }

  /** The status of an authenticated `GET /contents`. */
  async readWith(headers: Record<string, string>, owner: DeploymentKey = TENANT): Promise<number> {
    return (await this.send('GET', `${deploymentPaths(owner).content}/contents`, { headers })).status;
  }

  /** Restores (or archives) a content of the tenant. Options replace parts of the valid request. */
  async write(
    operation: 'restore' | 'archive',
    contentId: string,
    { json, headers, ...call }: Call = {},
  ): Promise<Answer> {
    const { authorRefs } = await this.tenant();
    return this.send('POST', `${deploymentPaths(TENANT).content}/contents/${contentId}/${operation}`, {
      json: json ?? (call.body === undefined ? { authorRef: authorRefs[0] } : undefined),
      headers: { ...(await this.bearer()), ...headers },
      ...call,
    });
  }
}

export function basic(tenantId: string, apiKey: string) {
  return { authorization: `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}` };
}

/** The error body of the content interface. */
export function platformError(status: number, error: string) {
  return { status, error, message: expect.any(String) as string };
}

/** Whether the answer comes from the fault and not from the platform. */
function isFaultsOwn(fault: Fault): boolean {
  return isAnswering(fault) || fault.malformedJson === true;
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The parsed body of a request, if it was JSON. */
function jsonOf({ json, body }: Call): unknown {
  try {
    return JSON.parse(json === undefined ? (body ?? '') : JSON.stringify(json));
  } catch {
    return undefined;
  }
}
