import { isText, Refusal, requireFields } from './model-fields';
import {
  type Body,
  type Dependency,
  type Expected,
  type GivenIds,
  type ModelContent,
  type ModelFault,
  type ModelItem,
  type ModelItemFailure,
  type ModelTenant,
  type Request,
} from './model-records';

const TOKEN_LIFETIME_MS = 3600 * 1000;
const LEGACY = ['created', 'published', 'archived', 'deleted'];

/**
 * A minimal model of the content interface: a second, independent reading of the specification. It shares nothing
 * with the sandbox, and takes ids from the platform's answers.
 */
export class PlatformModel {
  readonly tenants: readonly ModelTenant[];
  nowMs: number;
  timing = { startsAfterSec: 5, takesSec: 30 };
  restore: { available: boolean; actingUserIn: 'body' | 'header' } = {
    available: true,
    actingUserIn: 'body',
  };
  itemFailures: ModelItemFailure[] = [];
  faults: ModelFault[] = [];
  readonly changes: Record<string, string>[] = [];

  constructor(tenants: readonly ModelTenant[], nowMs: number) {
    this.tenants = tenants;
    this.nowMs = nowMs;
  }

  perform(request: Request, ids: GivenIds): Expected {
    try {
      return this.#answer(request, ids);
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status };
      throw error;
    }
  }

  /** The stored contents of a tenant: the existing ones, then the deleted ones. */
  stored({ contents }: ModelTenant): unknown[] {
    return [...contents.filter(({ deleted }) => !deleted), ...contents.filter(({ deleted }) => deleted)].map(
      (content) => ({ ...content, ...this.#record(content) }),
    );
  }

  #answer(request: Request, ids: GivenIds): Expected {
    const { operation } = request;
    const isRead = operation === 'list' || operation === 'get';
    const isComingSoon = operation === 'archive' || operation === 'restore';
    const tenant = this.tenants.find(({ tenantId }) => tenantId === request.tenantId)!;

    if (isComingSoon && !this.restore.available) throw new Refusal(404);
    this.#authenticate(request, isRead ? 'api/read' : 'api/write');

    if (operation === 'list') return this.#list(request, tenant);
    if (operation === 'get') {
      this.#depend('store', operation);
      return { status: 200, body: catalogueView(existing(tenant, request.contentId)) };
    }

    if (request.contentType !== 'application/json') throw new Refusal(415);
    if (request.body === 'malformed') throw new Refusal(400);
    const actingUser = this.#actingUser(request, request.body);
    if (operation === 'create' || operation === 'update') requireFields(operation, request.body);

    this.#depend('store', operation);
    const before = operation === 'create' ? undefined : existing(tenant, request.contentId);
    this.#depend('directory', operation);
    const { authorRef, collaborationId } = actingUser;
    if (authorRef !== undefined && !tenant.authorRefs.includes(authorRef)) throw new Refusal(422);
    if (collaborationId !== undefined && !tenant.collaborationIds.includes(collaborationId))
      throw new Refusal(422);
    if (before) this.#requireState(operation, before);
    this.#depend('store', operation);
    this.#depend('audit', operation);

    const content = before ?? this.#addContent(tenant, ids.contentId, authorRef!);
    this.#change(operation, content, request.body, tenant, ids);
    content.owner = collaborationId ?? content.owner;
    content.updatedAt = this.#now();
    this.changes.push({
      at: this.#now(),
      environment: 'staging',
      platformRegion: 'mea',
      tenantId: tenant.tenantId,
      contentId: content.id,
      operation,
      actingUser: authorRef ?? 'system account',
      owner: content.owner,
    });
    if (operation === 'delete') return { status: 204, body: '' };
    if (isComingSoon) return { status: 200, body: this.#record(content) };
    return { status: operation === 'create' ? 201 : 200, body: catalogueView(content) };
  }

  #authenticate({ caller, tokenIssuedMs }: Request, scope: 'api/read' | 'api/write'): void {
    if (caller === 'nobody' || caller === 'webhooks token') throw new Refusal(401);
    if (caller === 'basic') return;
    if (this.nowMs >= tokenIssuedMs + TOKEN_LIFETIME_MS) throw new Refusal(401);
    if (caller !== 'api/all' && caller !== scope) throw new Refusal(403);
  }

  #list({ statuses }: Request, tenant: ModelTenant): Expected {
    if (statuses?.some((status) => !LEGACY.includes(status))) throw new Refusal(400);
    this.#depend('store', 'list');
    const wanted = statuses ?? ['created', 'published', 'archived'];
    const legacy = ({ status, deleted }: ModelContent) =>
      deleted ? 'deleted' : status === 'draft' ? 'created' : status;
    const listed = tenant.contents.filter((content) => wanted.includes(legacy(content)));
    const inOrder = listed.toSorted((a, b) => Number(a.deleted) - Number(b.deleted));
    return { status: 200, body: inOrder.map(catalogueView) };
  }

  /** Rules 4 and 5: where the acting user is, and which references are required or accepted. */
  #actingUser({ operation, headers }: Request, body: Body): { authorRef?: string; collaborationId?: string } {
    const isComingSoon = operation === 'archive' || operation === 'restore';
    const { authorRef, collaborationId } =
      isComingSoon && this.restore.actingUserIn === 'header' ? headers : (body as Request['headers']);
    const isUsable = (reference: unknown) => reference === undefined || isText(reference, 1, Infinity);
    if (!isUsable(authorRef) || !isUsable(collaborationId)) throw new Refusal(422);
    if (isComingSoon && authorRef === undefined && collaborationId === undefined) throw new Refusal(422);
    if (!isComingSoon && authorRef === undefined) throw new Refusal(422);
    if (!isComingSoon && operation !== 'create' && collaborationId !== undefined) throw new Refusal(422);
    return { authorRef, collaborationId };
  }

  #requireState(operation: Request['operation'], content: ModelContent): void {
    const status = this.#status(content);
    if (operation === 'restore' && status !== 'archived') throw new Refusal(409);
    if (operation === 'archive' && status === 'archived') throw new Refusal(409);
    if (operation === 'update' && status === 'archived') throw new Refusal(409);
    if (operation === 'publish' && status !== 'ready') throw new Refusal(409);
  }

  #addContent(tenant: ModelTenant, id: string, author: string): ModelContent {
    const at = this.#now();
    const content: ModelContent = {
      id,
      author,
      createdAt: at,
      title: '',
      description: '',
      tags: [],
      type: 'course',
      status: 'draft',
      owner: author,
      updatedAt: at,
      deleted: false,
      items: [],
    };
    tenant.contents.push(content);
    return content;
  }

  #change(
    operation: Request['operation'],
    content: ModelContent,
    body: Body,
    tenant: ModelTenant,
    ids: GivenIds,
  ): void {
    if (operation === 'publish' || operation === 'restore') content.status = 'published';
    if (operation === 'archive') content.status = 'archived';
    if (operation === 'delete') {
      content.deleted = true;
      // Deleted contents are listed in order of deletion.
      tenant.contents = [...tenant.contents.filter((other) => other !== content), content];
    }
    if (operation !== 'create' && operation !== 'update') return;
    for (const field of ['title', 'description', 'tags', 'type'] as const) {
      if (body[field] !== undefined) Object.assign(content, { [field]: body[field] });
    }
    const items = body.items as { type: string; summary: string }[] | undefined;
    if (items)
      content.items = items.map((item, rank) => this.#newItem(item, rank, tenant, ids.itemIds[rank]!));
  }

  #newItem(
    { type, summary }: { type: string; summary: string },
    rank: number,
    { tenantId }: ModelTenant,
    id: string,
  ): ModelItem {
    const failure = this.itemFailures.find(
      ({ match, times }) =>
        times > 0 && (match?.type ?? type) === type && (match?.tenantId ?? tenantId) === tenantId,
    );
    if (failure) failure.times -= 1;
    const startsMs = this.nowMs + this.timing.startsAfterSec * 1000;
    const doneMs = startsMs + this.timing.takesSec * 1000;
    return { id, type, rank, summary, startsMs, doneMs, failureReason: failure?.reason };
  }

  #depend(dependency: Dependency, operation: string): void {
    const fault = this.faults.find(
      (other) =>
        other.times > 0 && other.dependency === dependency && (other.operation ?? operation) === operation,
    );
    if (!fault) return;
    fault.times -= 1;
    throw new Refusal(502);
  }

  /** An item must reach `ok` before its content can become `ready`. */
  #status({ status, items }: ModelContent): string {
    const isReady = items.length > 0 && items.every((item) => this.#itemStatus(item) === 'ok');
    return status === 'draft' && isReady ? 'ready' : status;
  }

  #itemStatus({ startsMs, doneMs, failureReason }: ModelItem): string {
    if (this.nowMs < startsMs) return 'pending';
    if (this.nowMs < doneMs) return 'processing';
    return failureReason === undefined ? 'ok' : 'error';
  }

  #record(content: ModelContent) {
    const items = content.items.map(({ id, type, rank, summary, failureReason, ...times }) => {
      const status = this.#itemStatus({ id, type, rank, summary, failureReason, ...times });
      return { id, type, rank, summary, status, ...(status === 'error' ? { failureReason } : {}) };
    });
    return {
      id: content.id,
      status: this.#status(content),
      items: items.toSorted((a, b) => a.rank - b.rank),
    };
  }

  #now(): string {
    return new Date(this.nowMs).toISOString();
  }
}

function existing({ contents }: ModelTenant, id: string): ModelContent {
  const content = contents.find((other) => other.id === id && !other.deleted);
  if (!content) throw new Refusal(404);
  return content;
}

function catalogueView({ id, title, description, tags, type, createdAt, updatedAt, author }: ModelContent) {
  return { id, title, description, tags, type, createdAt, updatedAt, author, isOfficial: false };
}
