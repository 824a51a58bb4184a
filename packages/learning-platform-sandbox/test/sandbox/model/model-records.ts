// Requests to the modelled platform, and its state. Shares no types with the sandbox.
export interface Request {
  readonly operation: 'create' | 'update' | 'delete' | 'publish' | 'list' | 'get' | 'archive' | 'restore';
  readonly tenantId: string;
  readonly caller: Caller;
  /** When the caller's token was issued, if it has one. */
  readonly tokenIssuedMs: number;
  readonly contentId: string;
  readonly contentType: string;
  /** The parsed body, or `malformed`. */
  readonly body: Body | 'malformed';
  readonly headers: { readonly authorRef?: string; readonly collaborationId?: string };
  readonly statuses?: readonly string[];
}
export type Caller = 'api/all' | 'api/read' | 'api/write' | 'basic' | 'webhooks token' | 'nobody';
export type Body = Readonly<Record<string, unknown>>;
export type Dependency = 'directory' | 'store' | 'audit';

export interface ModelTenant {
  readonly tenantId: string;
  readonly authorRefs: readonly string[];
  readonly collaborationIds: readonly string[];
  contents: ModelContent[];
}
export interface ModelItem {
  readonly id: string;
  readonly type: string;
  readonly rank: number;
  readonly summary: string;
  /** When processing of the item starts, and when it ends. */
  readonly startsMs: number;
  readonly doneMs: number;
  readonly failureReason?: string;
}
export interface ModelContent {
  readonly id: string;
  readonly author: string;
  readonly createdAt: string;
  title: string;
  description: string;
  tags: readonly string[];
  type: string;
  status: 'draft' | 'published' | 'archived';
  owner: string;
  updatedAt: string;
  deleted: boolean;
  items: readonly ModelItem[];
}
export interface ModelItemFailure {
  readonly match?: { readonly tenantId?: string; readonly type?: string };
  readonly reason: string;
  times: number;
}
export interface ModelFault {
  readonly dependency: Dependency;
  readonly operation?: string;
  times: number;
}
/** The ids that the platform gave to created objects. */
export interface GivenIds {
  readonly contentId: string;
  readonly itemIds: readonly string[];
}
/** The expected answer. A refusal has no body, because its message is not specified. */
export interface Expected {
  readonly status: number;
  readonly body?: unknown;
}
