import { judgedVersion, proofRecordTags } from '../../../core/rotation/proof-record';
import { type RestoreAuth } from '../../../core/restore/restore-operation';
import { credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { parseConfiguration } from '../../../lib/options/load';
import {
  Account,
  apiGatewayResourceTypes,
  type ApiGatewayServer,
  type AwsEndpoint,
  CloudWatch,
  Credentials,
  provisionAssembly,
  readAssembly,
  type Readings,
  RecordingReporter,
  RestApis,
  rotationResourceTypes,
  Rotator,
  RunClock,
  type Secret,
  startApiGateway,
  startAwsEndpoint,
  writeLogEvents,
} from 'cdk-on-loopback/testing';
import { deploymentPaths } from 'learning-platform-sandbox/testing';
import { type HttpsAnswer, sendHttps } from './https-request';
import { captureOutput } from '../lambdas/captured-output';
import { trustAuthority } from '../lambdas/trusted-authority';
import { type WrittenDeployment } from '../lib/configuration';
import { synthesize } from '../lib/synthesis';
import { InProcessFunctions } from './in-process-functions';
import { ServedSandbox } from './served-sandbox';

const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'mea' } as const;
const CONTENT_SCOPES = ['api/read', 'api/write', 'api/all'] as const;
/** Above what any test sends; the host tests throttling. */
const UNLIMITED = { rateLimit: 10_000, burstLimit: 10_000 };

/** For the hook that starts it: synthesizing all stacks takes long on a busy machine. */
export const START_TIMEOUT_MS = 60_000;

/** A tenant of the deployment under test, as the sandbox created it. */
export interface TenantUnderTest {
  tenantId: string;
  apiKey: string;
  authorRefs: readonly string[];
  collaborationIds: readonly string[];
}

/** Differences from the usual system, besides its configuration. */
interface StartOptions {
  auth?: RestoreAuth;
  /**
   * The users of each tenant.
   * @default two, which the sandbox creates
   */
  authorRefs?: string[];
}

/** A call of the restore API; the defaults are valid. */
export interface RestoreCall {
  /**
   * In the path.
   * @default the first tenant
   */
  tenantId?: string;
  /** Exactly as sent in the path, encoded or not. */
  contentId: string;
  /** After the path, with its question mark. */
  query?: string;
  method?: string;
  /**
   * Several values are sent as several headers; undefined sends none.
   * @default Basic of the first tenant
   */
  authorization?: string | string[] | undefined;
  /** @default application/json */
  contentType?: string | string[] | undefined;
  /** Additional headers. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Sent as it is, or an object as JSON.
   * @default the tenant's first author
   */
  body?: string | Buffer | object;
}

/**
 * The whole restore path in this process, over sockets: synthesized stacks, API Gateway over TLS, the
 * bundles of authorizer, restore and token-refresh, AWS, and the sandbox as the platform. A request takes a
 * few ms.
 * A test file uses only one, and must not restore jest's mocks while it runs. {@link output} has what
 * functions print.
 */
export class RestoreApiUnderTest {
  readonly sandbox: ServedSandbox;
  readonly functions: InProcessFunctions;
  readonly account: Account;
  /** Issues the keys of callers that sign. */
  readonly credentials: Credentials;
  readonly apis: RestApis;
  /** What API Gateway does where AWS's documentation and its recorded behavior differ. */
  readonly readings: Readings;
  /** The tenant whose callers are tested, and its neighbor in the same deployment. */
  readonly tenants: readonly [TenantUnderTest, TenantUnderTest];
  readonly output: () => string;
  /** The stage's URL, without a trailing slash. */
  readonly url: string;
  readonly ca: string;
  readonly #endings: (() => unknown)[];

  private constructor(
    parts: Pick<
      RestoreApiUnderTest,
      'sandbox' | 'functions' | 'account' | 'credentials' | 'apis' | 'tenants' | 'output' | 'url' | 'ca'
    >,
    endings: (() => unknown)[],
  ) {
    this.sandbox = parts.sandbox;
    this.functions = parts.functions;
    this.account = parts.account;
    this.credentials = parts.credentials;
    this.apis = parts.apis;
    this.readings = parts.apis.readings;
    this.tenants = parts.tenants;
    this.output = parts.output;
    this.url = parts.url;
    this.ca = parts.ca;
    this.#endings = endings;
  }

  /**
   * Starts everything, loads credentials and fetches all tokens.
   * @param deployment configuration changes
   */
  static async start(
    deployment: Partial<WrittenDeployment> = {},
    options: StartOptions = {},
  ): Promise<RestoreApiUnderTest> {
    const endings: (() => unknown)[] = [];
    try {
      return await RestoreApiUnderTest.begin(deployment, options, endings);
    } catch (error) {
      await Promise.all(endings.map((end) => end()));
      jest.restoreAllMocks();
      throw error;
    }
  }

  private static async begin(
    deployment: Partial<WrittenDeployment>,
    { auth = 'platform', authorRefs }: StartOptions,
    endings: (() => unknown)[],
  ): Promise<RestoreApiUnderTest> {
    const output = captureOutput();
    const tenantIds = ['me-south-1_Under', 'me-south-1_Neighbor'] as const;
    const sandbox = await ServedSandbox.start({
      deployments: [{ ...DEPLOYMENT_KEY, tenants: tenantIds.map((tenantId) => ({ tenantId, authorRefs })) }],
      restoreAvailable: deployment.restore?.available ?? true,
      actingUserIn: deployment.restore?.actingUserIn ?? 'body',
    });
    endings.push(() => sandbox.close());
    trustAuthority(sandbox.caCertificate);
    const paths = deploymentPaths(DEPLOYMENT_KEY);
    const configuration = parseConfiguration(
      {
        local: true,
        endpoints: {
          staging: {
            mea: {
              contentBaseUrl: `${sandbox.origin}${paths.content}`,
              contentTokenBaseUrl: `${sandbox.origin}${paths.contentToken}`,
              webhooksTokenBaseUrl: `${sandbox.origin}${paths.webhooksToken}`,
            },
          },
        },
        deployments: [
          {
            ...DEPLOYMENT_KEY,
            fullMonitoring: true,
            tenants: tenantIds.map((tenantId) => ({
              tenantId,
              tokens: [
                ...CONTENT_SCOPES.map((scope) => ({ interface: 'content', scope })),
                { interface: 'webhooks', scope: 'api/webhooks' },
                { interface: 'webhooks', scope: 'api/all' },
              ],
            })),
            ...deployment,
            restore: { available: true, ...deployment.restore },
            restoreApi: { auth, ...UNLIMITED, ...deployment.restoreApi },
          },
        ],
      },
      'configuration of the test',
    );
    const assembly = readAssembly(synthesize(configuration).assembly.directory);
    const account = new Account(assembly.accountId, assembly.region);
    const functions = new InProcessFunctions(account);
    const aws = await startAws(account, functions);
    endings.push(aws.close);
    provisionAssembly(assembly, {
      account,
      nowMs: Date.now(),
      endpointUrl: aws.endpoint.url,
      types: aws.resourceTypes,
    });
    const { administrator } = aws;
    jest.replaceProperty(process, 'env', {
      ...process.env,
      AWS_ENDPOINT_URL: aws.endpoint.url,
      AWS_REGION: account.region,
      AWS_ACCESS_KEY_ID: administrator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: administrator.secretAccessKey,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    });
    const tenants = await Promise.all(tenantIds.map((tenantId) => load(account, sandbox, tenantId)));
    await sweep(functions, account);
    const [api] = aws.apis.byId.values();
    return new RestoreApiUnderTest(
      {
        sandbox,
        functions,
        account,
        credentials: aws.credentials,
        apis: aws.apis,
        tenants: tenants as [TenantUnderTest, TenantUnderTest],
        output,
        url: aws.apiGateway.urlOf(api!.id, 'v1'),
        ca: aws.apiGateway.caCertificate,
      },
      endings,
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#endings.map((end) => end()));
    jest.restoreAllMocks();
  }

  /** Calls the API over a new TLS connection. */
  async call(call: RestoreCall): Promise<HttpsAnswer> {
    const [tenant] = this.tenants;
    const { method = 'POST', tenantId = tenant.tenantId, contentId, query = '' } = call;
    const url = `${this.url}/tenants/${tenantId}/contents/${contentId}/restore${query}`;
    const authorization = 'authorization' in call ? call.authorization : this.basic();
    const contentType = 'contentType' in call ? call.contentType : 'application/json';
    const { body = { authorRef: tenant.authorRefs[0] } } = call;
    return sendHttps(this.ca, method, url, {
      headers: {
        ...call.headers,
        ...(authorization !== undefined && { authorization }),
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  }

  /** The Authorization header of a caller with an API key. */
  basic({ tenantId, apiKey }: Pick<TenantUnderTest, 'tenantId' | 'apiKey'> = this.tenants[0]): string {
    return `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`;
  }

  /** The Authorization header of a caller who has read one of a tenant's tokens. */
  bearer(
    scope: 'api/read' | 'api/write' | 'api/all' | 'api/webhooks',
    { tenantId } = this.tenants[0],
  ): string {
    const key = {
      ...DEPLOYMENT_KEY,
      tenantId,
      interface: scope === 'api/webhooks' ? 'webhooks' : 'content',
      scope,
    };
    const name = tokenSecretName('latchkey', key);
    const { accessToken } = JSON.parse(currentValue(this.account, name)) as { accessToken: string };
    return `Bearer ${accessToken}`;
  }

  /** Creates a content in a given state. */
  async content(
    status: 'archived' | 'draft' | 'published' | 'ready' = 'archived',
    { tenantId } = this.tenants[0],
  ): Promise<string> {
    const input = { ...DEPLOYMENT_KEY, tenantId, status, count: 1 };
    const { contentIds } = await this.sandbox.control<{ contentIds: string[] }>('POST', 'contents', input);
    return contentIds[0]!;
  }

  /** Makes the platform fail requests, by a fault for the sandbox's control. */
  async fault(fault: object): Promise<void> {
    await this.sandbox.control('POST', 'faults', { target: 'content', ...fault });
  }

  /** Requests for a content by the platform's answer; 0 is a broken connection. */
  async platformAnswers(contentId: string): Promise<Record<number, number>> {
    const { requests } = await this.sandbox.control<{
      requests: { target: string; path: string; status: number; count: number }[];
    }>('GET', 'counters');
    const meant = requests.filter(
      ({ target, path }) => target === 'content' && path.includes(`/${contentId}/`),
    );
    return Object.fromEntries(meant.map(({ status, count }) => [status, count]));
  }

  /** Changes of a content in the platform's audit trail. */
  async changesOf(contentId: string): Promise<{ contentId: string; actingUser: string; owner: string }[]> {
    const { changes } = await this.sandbox.control<{
      changes: { contentId: string; actingUser: string; owner: string }[];
    }>('GET', 'audit');
    return changes.filter((change) => change.contentId === contentId);
  }
}

async function startAws(account: Account, invoker: InProcessFunctions) {
  const reporter = new RecordingReporter();
  const clock = new RunClock({});
  const credentials = new Credentials(account.accountId, clock);
  const cloudWatch = new CloudWatch({ account, clock, reporter });
  const rotator = new Rotator({ account, clock, invoker, reporter });
  const common = { account, credentials, invoker, clock, reporter, port: 0 };
  const apis = new RestApis();
  const [endpoint, apiGateway]: [AwsEndpoint, ApiGatewayServer] = await Promise.all([
    startAwsEndpoint({ ...common, rotator, cloudWatch, scheduleUpdates: { replaced: () => undefined } }),
    startApiGateway({ ...common, apis, writeLogs: writeLogEvents, onAnswer: () => undefined }),
  ]);
  return {
    endpoint,
    apiGateway,
    apis,
    credentials,
    administrator: credentials.issueForAdministrator(),
    resourceTypes: { ...apiGatewayResourceTypes(apis), ...rotationResourceTypes(rotator) },
    close: async () => {
      rotator.close();
      clock.close();
      await Promise.all([endpoint.close(), apiGateway.close()]);
    },
  };
}

/** Issues credentials as the platform's support and an administrator do, and makes them current. */
async function load(account: Account, sandbox: ServedSandbox, tenantId: string): Promise<TenantUnderTest> {
  const tenant = { ...DEPLOYMENT_KEY, tenantId };
  const pair = await sandbox.control<{ clientId: string; clientSecret: string }>(
    'POST',
    'credentials',
    tenant,
  );
  const key = await sandbox.control<{ apiKey: string; validUntil: string }>('POST', 'api-keys', tenant);
  putCurrent(account, credentialSecretName('latchkey', tenant, 'client-credentials'), pair);
  putCurrent(account, credentialSecretName('latchkey', tenant, 'api-key'), key);
  const { tenants } = await sandbox.control<{ tenants: TenantUnderTest[] }>('GET', 'tenants');
  const { authorRefs, collaborationIds } = tenants.find((each) => each.tenantId === tenantId)!;
  return { tenantId, apiKey: key.apiKey, authorRefs, collaborationIds };
}

/** Loads a value, and records it as proven, as rotate-credentials would. */
function putCurrent(account: Account, name: string, value: object): void {
  const secret = secretNamed(account, name);
  const versionId = 'loaded-by-the-test-00000000000000001';
  const secretString = JSON.stringify(value);
  secret.versions.set(versionId, {
    versionId,
    secretString,
    stages: new Set(['AWSCURRENT']),
    createdAtMs: Date.now(),
  });
  recordAsProven(secret);
}

/** Records each version of a secret as proven, as after rotations: no other API key opens the restore API. */
export function recordAsProven(secret: Secret): void {
  const proven = [...secret.versions.values()].map((each) => judgedVersion(each.versionId, each.createdAtMs));
  secret.tags = { ...secret.tags, ...proofRecordTags({ proven, refused: undefined }) };
}

function currentValue(account: Account, name: string): string {
  const versions = [...secretNamed(account, name).versions.values()];
  return versions.find(({ stages }) => stages.has('AWSCURRENT'))!.secretString!;
}

function secretNamed(account: Account, name: string) {
  return [...account.secrets.values()].find((secret) => secret.name === name)!;
}

async function sweep(functions: InProcessFunctions, account: Account): Promise<void> {
  const { arn } = [...account.functions.values()].find(({ name }) => /sweep/i.test(name))!;
  const result = await functions.invoke(arn, Buffer.from(JSON.stringify({ action: 'sweep' })));
  if (result.kind !== 'ok') throw functions.failures.at(-1)!.error;
}
