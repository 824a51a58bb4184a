import { deploymentPaths } from '../../../src/sandbox/addresses';
import { CONTENT_ROUTES } from '../../../src/sandbox/content/content-routes';
import {
  type Answer,
  NEIGHBOUR,
  NOON_MS,
  PlatformUnderTest,
  platformError,
  TENANT,
} from '../platform-under-test';
import { type Move, type Whose } from './moves';
import { Callers } from './callers';
import { type Expected, type GivenIds, type ModelTenant, type Request } from './model-records';
import { PlatformModel } from './platform-model';
import { fromSeed, idsOf, storedContents } from './seeded-model';

const OWNERS = [TENANT, NEIGHBOUR] as const;
const BASE = deploymentPaths(TENANT).content;
const NOBODY = '0'.repeat(24);
const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  502: 'Bad Gateway',
};
/** A request of the model with the caller's authentication headers. */
type Addressed = Request & { readonly authentication: Record<string, string> };
type RequestMove = Extract<Move, { kind: 'request' }>;
/** A sandbox and its model, which get the same requests and must give the same answers. */
export class ModelledPlatform {
  readonly #platform: PlatformUnderTest;
  readonly #model: PlatformModel;
  readonly #callers: Callers;
  readonly #ids: Set<string>;

  private constructor(platform: PlatformUnderTest, tenants: ModelTenant[]) {
    this.#platform = platform;
    this.#callers = new Callers(platform);
    this.#model = new PlatformModel(tenants, NOON_MS);
    this.#ids = new Set(tenants.flatMap(({ contents }) => contents.flatMap(idsOf)));
  }

  /** Creates two tenants in one deployment, with a content in each status. */
  static async start(): Promise<ModelledPlatform> {
    const platform = new PlatformUnderTest();
    const tenants = await Promise.all(
      OWNERS.map(async ({ tenantId }) => {
        const { authorRefs, collaborationIds } = await platform.tenant(tenantId);
        const contents = (await storedContents(platform, tenantId)).map(fromSeed);
        return { tenantId, authorRefs, collaborationIds, contents };
      }),
    );
    return new ModelledPlatform(platform, tenants);
  }

  /** Performs one move and compares the answers. Returns `operation status` for a request. */
  async make(move: Move): Promise<string | undefined> {
    switch (move.kind) {
      case 'request':
        return this.#request(move);
      case 'time passes':
        await this.#platform.control('POST', 'clock', { advanceSec: move.sec });
        this.#model.nowMs += move.sec * 1000;
        return undefined;
      case 'new tokens':
        this.#callers.forget();
        return undefined;
      case 'item failure': {
        const { tenant, type } = move.match ?? {};
        const match = move.match && {
          tenantId: tenant === undefined ? undefined : OWNERS[tenant].tenantId,
          type,
        };
        const rule = { match, reason: 'it broke', times: move.times };
        await this.#platform.control('POST', 'item-failures', rule);
        this.#model.itemFailures.push(rule);
        return undefined;
      }
      case 'dependency fails': {
        const { dependency, operation, times } = move;
        await this.#platform.addFault({ target: 'content', match: { operation }, dependency, times });
        this.#model.faults.push({ dependency, operation, times });
        return undefined;
      }
      case 'timing':
        await this.#platform.control('POST', 'processing', move.change);
        Object.assign(this.#model.timing, move.change);
        return undefined;
      case 'restore settings':
        await this.#platform.control('POST', 'restore', move.change);
        Object.assign(this.#model.restore, move.change);
        return undefined;
    }
  }

  /** Compares the stored state: contents, audit trail and pending failures. */
  async compareStored(): Promise<void> {
    for (const tenant of this.#model.tenants) {
      expect(await storedContents(this.#platform, tenant.tenantId)).toEqual(this.#model.stored(tenant));
    }
    expect((await this.#platform.control('GET', 'audit')).body).toEqual({ changes: this.#model.changes });
    const failures = this.#model.itemFailures.filter(({ times }) => times > 0);
    expect((await this.#platform.control('GET', 'item-failures')).body).toEqual({ failures });
    const faults = this.#model.faults.filter(({ times }) => times > 0);
    expect((await this.#platform.control('GET', 'faults')).body).toMatchObject({
      faults: faults.map(({ dependency, times }) => ({ dependency, times })),
    });
  }

  async #request(move: RequestMove): Promise<string> {
    const request = await this.#addressed(move);
    const answer = await this.#send(request);
    const isNew = answer.status < 300 && (move.operation === 'create' || move.operation === 'update');
    const ids = isNew ? await this.#givenIds(request.tenantId, answer) : { contentId: '', itemIds: [] };

    const expected = this.#model.perform(request, ids);

    expect({ request, status: answer.status, body: answer.body }).toEqual({
      request,
      ...withError(expected),
    });
    if (answer.status === 201)
      expect(answer.headers.get('location')).toBe(`${BASE}/contents/${ids.contentId}`);
    if (isNew) this.#rememberNew(move.operation, ids, 'items' in (request.body as object));
    return `${move.operation} ${answer.status}`;
  }

  /** The request of a move, with its ids and references resolved. */
  async #addressed(move: RequestMove): Promise<Addressed> {
    const tenant = this.#model.tenants[move.tenant]!;
    const other = this.#model.tenants[1 - move.tenant]!;
    const pick = (whose: Whose | undefined, list: (of: ModelTenant) => readonly string[]) => {
      if (whose === undefined) return undefined;
      const all = whose.of === 'nobody' ? [] : list(whose.of === 'own' ? tenant : other);
      return all.at(-1 - (whose.n % all.length)) ?? NOBODY;
    };
    const authorRef = pick(move.author, (of) => of.authorRefs);
    const collaborationId = pick(move.collaboration, (of) => of.collaborationIds);
    const { headers, issuedMs } = await this.#callers.find(
      move.caller,
      OWNERS[move.tenant],
      this.#model.nowMs,
    );
    const title = move.operation === 'create' ? { title: 'Training' } : {};
    return {
      operation: move.operation,
      tenantId: tenant.tenantId,
      caller: move.caller,
      tokenIssuedMs: issuedMs,
      authentication: headers,
      contentId: pick(move.content, ({ contents }) => contents.map(({ id }) => id))!,
      contentType: move.contentType,
      body: move.isMalformed ? 'malformed' : plain({ ...title, authorRef, collaborationId, ...move.fields }),
      headers: plain({ authorRef, collaborationId }),
      statuses: move.statuses,
    };
  }

  #send({
    operation,
    contentId,
    contentType,
    body,
    headers,
    statuses,
    authentication,
  }: Addressed): Promise<Answer> {
    const { method, path } = CONTENT_ROUTES[operation];
    const query = operation === 'list' && statuses ? `?statuses=${statuses.join(',')}` : '';
    return this.#platform.send(method.toUpperCase(), `${BASE}${path.replace('{id}', contentId)}${query}`, {
      body: method === 'get' ? undefined : body === 'malformed' ? '{"title":' : JSON.stringify(body),
      headers: plain({
        ...authentication,
        'content-type': contentType,
        'x-author-ref': headers.authorRef,
        'x-collaboration-id': headers.collaborationId,
      }),
    });
  }

  async #givenIds(tenantId: string, { body }: Answer): Promise<GivenIds> {
    const { id } = body as { id: string };
    const stored = (await storedContents(this.#platform, tenantId)).find((content) => content.id === id);
    return { contentId: id, itemIds: stored?.items.map((item) => item.id) ?? [] };
  }

  /** Checks that ids are well formed and unique. */
  #rememberNew(operation: string, { contentId, itemIds }: GivenIds, hasNewItems: boolean): void {
    for (const id of [...(operation === 'create' ? [contentId] : []), ...(hasNewItems ? itemIds : [])]) {
      expect(id).toMatch(/^[0-9a-f]{24}$/);
      expect(this.#ids).not.toContain(id);
      this.#ids.add(id);
    }
  }
}

function withError({ status, body }: Expected): Expected {
  return { status, body: body ?? platformError(status, ERROR_NAMES[status]!) };
}

/** Removes undefined fields, as JSON and headers have none. */
function plain<Value>(fields: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    Value
  >;
}
