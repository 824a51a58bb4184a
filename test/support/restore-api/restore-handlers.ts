import { type APIGatewayProxyEvent, type APIGatewayRequestAuthorizerEvent, type Context } from 'aws-lambda';

import { type handler as AuthorizerHandler } from '../../../lambdas/authorizer/handler';
import { type handler as RestoreHandler } from '../../../lambdas/restore/handler';
import { type Canary } from '../canaries';
import { CertificateAuthority } from '../lambdas/certificates';
import { LoopbackServer } from '../lambdas/loopback-server';
import { AwsStub, loadBundle, type LoadedBundle, useAwsEndpoint } from '../lambdas/restore-bundle';
import { restoringDeploymentOf } from '../lambdas/restore-functions';
import { trustAuthority } from '../lambdas/trusted-authority';
import { restorePath } from './restore-path';

const METHOD_ARN = 'arn:aws:execute-api:eu-west-2:111122223333:api/v1/POST/x';
const SCOPES = ['api/read', 'api/write'] as const;
const WHOLE_LIFE_MS = 3_600_000;

/** A request that API Gateway has matched to a method. */
export interface HandedOn {
  pathParameters: { tenantId: string; contentId: string } | null;
  multiValueHeaders: Record<string, string[]> | null;
  body: string | null;
  isBase64Encoded?: boolean;
  /**
   * Remaining time in the functions' context.
   * @default 28 s
   */
  remainingMs?: number;
}

export interface HandledRequest {
  /** The restore function's status, or the authorizer's if it denied. */
  status: number;
  /** The restore function's headers; undefined if it did not run. */
  headers: Record<string, unknown> | undefined;
  body: string;
  lines: string[];
  /** An error other than the authorizer's `Unauthorized`: always a bug. */
  crash: Error | undefined;
  /** CPU time including AWS and the platform in this process, so that other load does not matter. */
  cpuMs: number;
}

export interface HandlersTenant {
  tenantId: string;
  apiKey: string;
  tokens: Record<(typeof SCOPES)[number], string>;
}

/**
 * The bundles of authorizer and restore function in this process, called as API Gateway would, with scripted
 * AWS and platform. A request takes 1 to 2 ms.
 * A test file uses only one, and must not restore jest's mocks while it runs. The functions' output is
 * captured.
 */
export class RestoreHandlers {
  /** For the hook that starts it on a busy machine. */
  static readonly START_TIMEOUT_MS = 60_000;
  readonly platform: LoopbackServer;
  readonly tenants: readonly [HandlersTenant, HandlersTenant];
  readonly #aws: LoopbackServer;
  readonly #stub = new AwsStub();
  readonly #authorizer: LoadedBundle<typeof AuthorizerHandler>;
  readonly #restore: LoadedBundle<typeof RestoreHandler>;
  #printed: string[] = [];
  #renewals = 0;

  private constructor(platform: LoopbackServer, aws: LoopbackServer) {
    const tenantIds = ['eu-west-2_Acme', 'eu-west-2_Neighbor'] as const;
    const deployment = restoringDeploymentOf(tenantIds);
    const addresses = { ...deployment.platform, contentBaseUrl: `${platform.url}/rest` };
    this.platform = platform;
    this.#aws = aws;
    this.#authorizer = loadBundle('authorizer', { ...deployment, platform: addresses });
    this.#restore = loadBundle('restore', { ...deployment, platform: addresses });
    this.tenants = tenantIds.map((tenantId, n) => ({
      tenantId,
      apiKey: `key-of-${n}-zKq3/+&ü`,
      tokens: { 'api/read': `read-token-of-${n}-h1`, 'api/write': `writing-token-of-${n}-Jw7` },
    })) as unknown as [HandlersTenant, HandlersTenant];
    for (const { tenantId, apiKey, tokens } of this.tenants) {
      this.#stub.storeApiKey(tenantId, apiKey);
      for (const scope of SCOPES) this.#stub.storeToken(tenantId, scope, tokens[scope]);
    }
    aws.behavior = (response, request) => {
      if (request.path.startsWith('/2015-03-31/')) this.#renewTokens();
      this.#stub.behavior(response, request);
    };
  }

  static async start(): Promise<RestoreHandlers> {
    const authority = await CertificateAuthority.create();
    const certificate = await authority.issue();
    const [platform, aws] = [
      await LoopbackServer.start(certificate),
      await LoopbackServer.start(certificate),
    ];
    trustAuthority(authority.certificatePem);
    useAwsEndpoint(aws.url, { TOKEN_REFRESH_ARN: 'token-refresh' });
    const handlers = new RestoreHandlers(platform, aws);
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, 'write').mockImplementation((chunk) => handlers.#printed.push(String(chunk)) > 0);
    }
    return handlers;
  }

  async stop(): Promise<void> {
    jest.restoreAllMocks();
    this.#authorizer.remove();
    this.#restore.remove();
    await Promise.all([this.#aws.stop(), this.platform.stop()]);
  }

  /** Secrets of all tenants, which must not be visible. */
  get canaries(): Canary[] {
    const ofTenants = this.tenants.flatMap(({ apiKey, tokens }) => [apiKey, ...Object.values(tokens)]);
    return [...ofTenants, 'renewed-token-of-'].map((value) => ({ name: value, value }));
  }

  basic({ tenantId, apiKey }: Pick<HandlersTenant, 'tenantId' | 'apiKey'> = this.tenants[0]): string {
    return `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`;
  }

  /** Runs the authorizer, and the restore function if it allows the request. */
  async handle(request: HandedOn): Promise<HandledRequest> {
    this.#printed = [];
    this.platform.requests.length = 0;
    const started = process.cpuUsage();
    const answer = await this.#answer(request).catch((error: Error) => ({
      status: 0,
      headers: undefined,
      body: '',
      crash: error,
    }));
    const { user, system } = process.cpuUsage(started);
    const lines = this.#printed.join('').split('\n').slice(0, -1);
    return { crash: undefined, ...answer, lines, cpuMs: (user + system) / 1000 };
  }

  async #answer({ pathParameters, multiValueHeaders, body, isBase64Encoded = false, ...more }: HandedOn) {
    const context = {
      awsRequestId: 'invocation-1',
      getRemainingTimeInMillis: () => more.remainingMs ?? 28_000,
    } as Context;
    const path = pathParameters && restorePath(pathParameters.tenantId, pathParameters.contentId);
    const common = {
      path: path ?? '/',
      pathParameters,
      multiValueHeaders,
      requestContext: { requestId: 'request-1' },
    };
    const asked = { ...common, type: 'REQUEST', methodArn: METHOD_ARN };
    const policy = await this.#authorizer
      .handler(asked as unknown as APIGatewayRequestAuthorizerEvent, context)
      .catch((error: Error) => {
        if (error.message === 'Unauthorized') return undefined;
        throw error;
      });
    if (policy === undefined) return { status: 401, headers: undefined, body: '' };
    if (policy.policyDocument.Statement[0]?.Effect !== 'Allow')
      return { status: 403, headers: undefined, body: '' };
    const { principalId, context: caller } = policy;
    const requestContext = { ...common.requestContext, authorizer: { principalId, ...caller } };
    const event = { ...common, requestContext, body, isBase64Encoded } as unknown as APIGatewayProxyEvent;
    const { statusCode, headers, body: text } = await this.#restore.handler(event, context);
    return { status: statusCode, headers, body: text };
  }

  /** What token-refresh does. */
  #renewTokens(): void {
    this.#renewals += 1;
    for (const tenant of this.tenants) {
      tenant.tokens['api/write'] = `renewed-token-of-${tenant.tenantId}-${this.#renewals}`;
      this.#stub.storeToken(tenant.tenantId, 'api/write', tenant.tokens['api/write']);
    }
    const expiresAt = new Date(Date.now() + WHOLE_LIFE_MS).toISOString();
    const answer = { ok: true, arn: 'arn', versionId: 'v1', expiresAt, refreshed: true };
    this.#stub.tokenRefreshAnswer = answer;
  }
}

/** One JSON line of the authorizer; if the restore function ran, one of its own and one of metrics. */
export function expectOneLineAnEvent({ lines, headers }: HandledRequest): void {
  const [first, ...others] = lines.map((line) => (JSON.parse(line) as { message?: string }).message);
  expect(['caller refused', 'caller authenticated']).toContain(first);
  expect(others).toEqual(headers === undefined ? [] : ['restore answered', undefined]);
}
