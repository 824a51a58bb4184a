/** The public types of `latchkey/sandbox`. Written out, so that they need no package. */

/** The platform's environments. */
export type Environment = 'staging' | 'production';
/** The platform's regions. `global` is all of them except MEA. */
export type PlatformRegion = 'global' | 'mea';

/** One environment in one platform region. */
export interface DeploymentKey {
  readonly environment: Environment;
  readonly platformRegion: PlatformRegion;
}

/** One item of a content that a sandbox starts with. */
export interface SeedItem {
  /** @default one of them, the same in every run */
  readonly type?: 'file' | 'video' | 'link' | 'article' | 'quiz' | undefined;
  /** 1 to 256 characters. @default generated */
  readonly summary?: string | undefined;
  /** Never changes. @default 'ok' */
  readonly status?: 'pending' | 'processing' | 'ok' | 'error' | undefined;
  /** Why processing failed, 1 to 256 characters. Required for `error`, not allowed otherwise. */
  readonly failureReason?: string | undefined;
}

/** One content that a sandbox starts with. */
export interface SeedContent {
  /** 24 hexadecimal digits, unique. @default generated, the same in every run */
  readonly id?: string | undefined;
  /** @default 'archived' */
  readonly status?: 'draft' | 'ready' | 'published' | 'archived' | undefined;
  /** 1 to 256 characters. @default generated */
  readonly title?: string | undefined;
  /** One of the tenant's `authorRefs`. @default the first one */
  readonly authorRef?: string | undefined;
  /** One of the tenant's `collaborationIds`. @default none */
  readonly collaborationId?: string | undefined;
  /** At most 100. @default three that fit the status */
  readonly items?: readonly SeedItem[] | undefined;
}

/** One tenant that a sandbox starts with. */
export interface SeedTenant {
  /** 1 to 128 letters, digits, `_` and `-`; unique across deployments. */
  readonly tenantId: string;
  /** The tenant's users, 1 to 1,000. @default two, the same in every run */
  readonly authorRefs?: readonly string[] | undefined;
  /** The tenant's collaborations, at most 1,000. @default two, the same in every run */
  readonly collaborationIds?: readonly string[] | undefined;
  /** At most 10,000. @default eight: five archived, a draft, a published one, one ready to publish */
  readonly contents?: readonly SeedContent[] | undefined;
}

/** One deployment that a sandbox serves. */
export interface SeedDeployment extends DeploymentKey {
  /** At least one. */
  readonly tenants: readonly SeedTenant[];
}

/** An issuer of tokens beside the platform: any that has a profile. */
export interface SeedIssuer {
  /**
   * How to request tokens from it, as JSON, with the fields of Latchkey's issuer profiles: a token endpoint, the form of requests, of
   * answers, and of errors.
   */
  readonly profile: object;
  /** 1 to 128 lower-case letters, digits and hyphens, unique. @default the profile's */
  readonly name?: string | undefined;
  /** Its tenants, at least one. */
  readonly tenants: readonly { readonly tenantId: string }[];
}

/** How long processing of new items takes, in seconds on the sandbox's clock, from 0 to ten years. */
export interface ItemProcessing {
  /** How long an item is pending. @default 5 */
  readonly startsAfterSec?: number | undefined;
  /** How long it then is processing. @default 30 */
  readonly takesSec?: number | undefined;
}

/** Names of the headers with the acting user. */
export interface ActingUserHeaders {
  readonly authorRef: string;
  readonly collaborationId: string;
}

/** Options of `createSandbox`. All are optional; the seed file of `latchkey sandbox` has the same fields. */
export interface SandboxOptions {
  /** The deployments to serve, each at most once. @default all four, with one tenant each */
  readonly deployments?: readonly SeedDeployment[] | undefined;
  /** Issuers to serve beside the platform. @default none */
  readonly issuers?: readonly SeedIssuer[] | undefined;
  /** Whether archive and restore exist, which the platform announces as coming soon. @default true */
  readonly restoreAvailable?: boolean | undefined;
  /** Where archive and restore take the acting user from. @default 'body' */
  readonly actingUserIn?: 'body' | 'header' | undefined;
  /** Names of the headers if `actingUserIn` is `header`. @default `X-Author-Ref` and `X-Collaboration-Id` */
  readonly actingUserHeaders?: ActingUserHeaders | undefined;
  /** @default 5 s pending, then 30 s processing */
  readonly processing?: ItemProcessing | undefined;
  /** How many seconds after its generation an API key starts to work, from 0 to ten years. @default 0 */
  readonly keyLagSec?: number | undefined;
  /** Whether each address has its own port, which faults of the kind `certificate` need. @default false: one port for all */
  readonly separatePorts?: boolean | undefined;
  /** The time that the sandbox's clock starts from, in milliseconds since 1970. @default Date.now */
  readonly nowMs?: (() => number) | undefined;
  /** Called for every failure of the sandbox itself, whose client gets a bare 500. @default failures are not reported */
  readonly onUnexpectedError?: ((error: Error) => void) | undefined;
}

/** The addresses of one deployment: https, without a trailing slash. They fit the `endpoints` of Latchkey's constructs. */
export interface PlatformAddresses {
  readonly contentBaseUrl: string;
  readonly contentTokenBaseUrl: string;
  readonly webhooksBaseUrl: string;
  readonly webhooksTokenBaseUrl: string;
  /** The same for all platform regions of an environment. */
  readonly tenantServiceUrl: string;
}

/** A tenant that the sandbox started with. */
export interface SandboxTenant extends DeploymentKey {
  readonly tenantId: string;
  readonly authorRefs: readonly [string, ...string[]];
  readonly collaborationIds: readonly string[];
  /** The contents that were archived at the start. */
  readonly archivedContentIds: readonly string[];
  /** Valid for both interfaces, until it is revoked. */
  readonly clientCredentials: { readonly clientId: string; readonly clientSecret: string };
  /** Generated at the start. `validUntil` is ISO 8601, a year later on the sandbox's clock. */
  readonly apiKey: { readonly apiKey: string; readonly validUntil: string };
}

/** What a token is for. */
export interface TokenToIssue extends DeploymentKey {
  readonly tenantId: string;
  /** @default 'content' */
  readonly interface?: 'content' | 'webhooks' | undefined;
  /** @default 'api/read', and 'api/webhooks' for the interface `webhooks` */
  readonly scope?: string | undefined;
}

/** What a token of an issuer beside the platform is for. */
export interface IssuerTokenToIssue {
  /** The issuer's name. */
  readonly issuer: string;
  readonly tenantId: string;
  /** Scopes, with spaces between them. @default none */
  readonly scope?: string | undefined;
}

/** A tenant of an issuer. */
export interface IssuerTenant {
  /** The issuer's name. */
  readonly issuer: string;
  readonly tenantId: string;
  /** Valid until it is revoked. */
  readonly clientCredentials: { readonly clientId: string; readonly clientSecret: string };
}

/** An issuer beside the platform. */
export interface SandboxIssuer {
  readonly name: string;
  /** The path of the token endpoint in the profile follows. */
  readonly tokenBaseUrl: string;
  /** `GET` answers 200 with a token of the issuer, and 401 otherwise. */
  readonly whoamiUrl: string;
  readonly tenants: readonly [IssuerTenant, ...IssuerTenant[]];
}

/**
 * A fault: which requests it affects, what it does to them (at least one effect), and how often. If several match a request,
 * the oldest one applies.
 */
export interface Fault {
  /** What it affects. `resource` is what accepts the tokens of an issuer beside the platform. */
  readonly target: 'token' | 'content' | 'webhooks' | 'tenants' | 'resource';
  /** Affects only requests with these values. `operation` needs the target `content`. @default all requests to the target */
  readonly match?:
    | {
        readonly environment?: Environment | undefined;
        readonly platformRegion?: PlatformRegion | undefined;
        /** The name of an issuer beside the platform. */
        readonly issuer?: string | undefined;
        readonly tenantId?: string | undefined;
        readonly interface?: 'content' | 'webhooks' | undefined;
        readonly operation?:
          'create' | 'update' | 'delete' | 'publish' | 'list' | 'get' | 'archive' | 'restore' | undefined;
      }
    | undefined;
  /** Answers with this status, from 200 to 599, instead of processing the request. */
  readonly status?: number | undefined;
  /** The body of that answer: a string as it is, anything else as JSON. */
  readonly body?: unknown;
  /** The headers of that answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Waits first, in whole milliseconds from 0 to 600,000. */
  readonly delayMs?: number | undefined;
  /** Sends the body in up to ten chunks over this time, in whole milliseconds from 1 to 600,000. */
  readonly slowBodyMs?: number | undefined;
  /** Processes the request and truncates its answer. */
  readonly malformedJson?: true | undefined;
  /** Breaks the connection before or after processing the request. */
  readonly reset?: 'before' | 'after' | undefined;
  /** Fails a service that content operations need, with 502: users and collaborations, contents, or the audit trail. */
  readonly dependency?: 'directory' | 'store' | 'audit' | undefined;
  /** Presents a wrong certificate to new connections. Needs the option `separatePorts`. */
  readonly certificate?: 'expired' | 'wrong-host' | 'untrusted' | undefined;
  /** How many requests to affect, at least 1. @default all, until the fault is removed */
  readonly times?: number | undefined;
  /** Affects each request with this probability, between 0 and 1 (both exclusive). @default every request */
  readonly probability?: number | undefined;
  /** A whole number from 0 to 4,294,967,295. The same one picks the same requests, if they come in the same order. @default 0 */
  readonly seed?: number | undefined;
}

/** A request that the platform answered, or whose connection it broke, without headers, query and body. */
export interface ReceivedRequest {
  /** Time on the sandbox's clock, ISO 8601. */
  readonly at: string;
  readonly target: Fault['target'];
  readonly method: string;
  readonly path: string;
  /** 0 if the connection was broken instead of an answer. */
  readonly status: number;
  /** Real time until the answer was ready, in whole milliseconds. */
  readonly durationMs: number;
  /** The tenant that the request names, which may not exist; absent if none. */
  readonly tenantId?: string;
  /** What an injected fault did to it; absent if none. */
  readonly fault?: Pick<
    Fault,
    'status' | 'delayMs' | 'reset' | 'slowBodyMs' | 'malformedJson' | 'dependency'
  >;
}

/** A sandbox in this process. It never keeps the process alive. */
export interface Sandbox extends AsyncDisposable {
  /** The certificate to trust for all addresses, PEM: `ca` of an agent of `node:https` or undici, or of `tls.connect`. */
  readonly caCertificate: string;
  /** The base address of the control interface, for other processes. It needs no authentication. */
  readonly controlUrl: string;
  /** The tenants that the sandbox started with, in the order of `deployments`. */
  readonly tenants: readonly [SandboxTenant, ...SandboxTenant[]];
  /** The issuers beside the platform, in the order of `issuers`. */
  readonly issuers: readonly SandboxIssuer[];
  /**
   * The addresses of a deployment, which a tenant names as well.
   * @throws {Error} with the `code` `invalid_input` if the sandbox does not serve the deployment
   */
  addresses(deployment: DeploymentKey): PlatformAddresses;
  /**
   * A `fetch` over TLS that trusts only {@link caCertificate}, for code that takes a `fetch`. Returns a redirect only for
   * `redirect: 'manual'`, and rejects otherwise.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Issues an access token for an hour of the platform's clock, or the lifetime in an issuer's profile, as the token endpoint does:
   * for tests of what uses a token, not of what requests one.
   * @param token a tenant, or a token key of `latchkey/client`. Other fields are ignored
   * @throws {Error} with the `code` `invalid_input` for an unknown tenant, and a scope that the interface does not have
   */
  issueToken(token: TokenToIssue | IssuerTokenToIssue): string;
  /** The faults in force. */
  readonly faults: {
    /** @throws {Error} with the `code` `invalid_input` for an invalid fault */
    add(fault: Fault): void;
    /** The faults in force, oldest first, with their remaining `times`. */
    all(): readonly Fault[];
    /** Removes all faults. */
    clear(): void;
  };
  /** The platform's clock: tokens and API keys expire by it, and items are processed by it. */
  readonly clock: {
    now(): Date;
    /**
     * Moves the clock forward.
     * @param advanceSec from 0 to ten years
     * @throws {Error} with the `code` `invalid_input` for any other time
     */
    advance(advanceSec: number): void;
  };
  /** The last 200 requests to the platform, oldest first. Those to control are not among them. */
  requests(): readonly ReceivedRequest[];
  /**
   * Calls the control interface, without the network.
   * @param path such as `/credentials`
   * @returns the parsed body of the answer; undefined if it has none
   * @throws {Error} with control's own message, and its `status`, if control refuses the call
   */
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /**
   * Restores contents and settings to the options', and removes all faults and records of requests. Keeps tenants,
   * credentials, API keys, tokens and the time.
   */
  reset(): void;
  /** Stops listening and breaks all connections. Does nothing if the sandbox has stopped. */
  stop(): Promise<void>;
}
