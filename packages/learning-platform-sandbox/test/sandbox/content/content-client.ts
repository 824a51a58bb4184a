import { deploymentPaths } from '../../../src/sandbox/addresses';
import { CONTENT_ROUTES } from '../../../src/sandbox/content/content-routes';
import { type ContentOperation } from '../../../src/sandbox/operations';
import { type Answer, type PlatformUnderTest, type TenantState, TENANT } from '../platform-under-test';

/** A content as control returns it. */
export interface StoredContent {
  readonly id: string;
  readonly status: string;
  readonly items: readonly { readonly status: string }[];
  readonly [field: string]: unknown;
}
type Owner = typeof TENANT;

/** A client of the content interface, for one tenant. */
export class ContentClient {
  readonly platform: PlatformUnderTest;
  readonly tenant: TenantState;
  readonly #owner: Owner;
  readonly #headers: Record<string, string>;

  private constructor(
    platform: PlatformUnderTest,
    owner: Owner,
    tenant: TenantState,
    headers: Record<string, string>,
  ) {
    this.platform = platform;
    this.tenant = tenant;
    this.#owner = owner;
    this.#headers = headers;
  }

  /** Authenticates with an api/all token. */
  static async of(platform: PlatformUnderTest, owner = TENANT): Promise<ContentClient> {
    const tenant = await platform.tenant(owner.tenantId);
    return new ContentClient(platform, owner, tenant, await platform.bearer('api/all', owner));
  }

  /** Sends one operation. Writes default to the first author; `json: null` sends no body. */
  send(
    operation: ContentOperation,
    id = '',
    json: object = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { method, path } = CONTENT_ROUTES[operation];
    return this.platform.send(
      method.toUpperCase(),
      `${deploymentPaths(this.#owner).content}${path.replace('{id}', id)}`,
      {
        json: method === 'get' ? undefined : { authorRef: this.tenant.authorRefs[0], ...json },
        headers: { ...this.#headers, ...headers },
      },
    );
  }

  /** Creates a content and returns its id. */
  async created(json: object = {}): Promise<string> {
    const { body } = await this.send('create', '', { title: 'Safety at work', ...json });
    return (body as { id: string }).id;
  }

  async list(statuses?: string): Promise<string[]> {
    const query = statuses === undefined ? '' : `?statuses=${statuses}`;
    const path = `${deploymentPaths(this.#owner).content}/contents${query}`;
    const { body } = await this.platform.send('GET', path, { headers: this.#headers });
    return (body as { id: string }[]).map(({ id }) => id);
  }

  pass(advanceSec: number): Promise<Answer> {
    return this.platform.control('POST', 'clock', { advanceSec });
  }

  async stored(id: string): Promise<StoredContent> {
    return (await this.#storedAnswer(`/${id}`)).body as StoredContent;
  }

  async allStored(): Promise<StoredContent[]> {
    return ((await this.#storedAnswer('')).body as { contents: StoredContent[] }).contents;
  }

  async changes(): Promise<Record<string, string>[]> {
    return ((await this.platform.control('GET', 'audit')).body as { changes: Record<string, string>[] })
      .changes;
  }

  #storedAnswer(rest: string): Promise<Answer> {
    const { environment, platformRegion, tenantId } = this.#owner;
    return this.platform.control('GET', `contents/${environment}/${platformRegion}/${tenantId}${rest}`);
  }
}
