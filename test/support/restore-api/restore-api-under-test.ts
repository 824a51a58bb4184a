import { judgedVersion, proofRecordTags } from '../../../core/rotation/proof-record';
import { CREDENTIAL_KINDS, credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { parseConfiguration } from '../../../lib/options/load';
import {
  Account,
  apiGatewayResourceTypes,
  type ApiGatewayServer,
  CloudWatch,
  Credentials,
  provisionAssembly,
  readAssembly,
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
import { currentValue, useAwsEndpoint } from '../lambdas/restore-bundle';
import { trustAuthority } from '../lambdas/trusted-authority';
import { ALL_TOKENS, type WrittenDeployment } from '../lib/configuration';
import { synthesize } from '../lib/synthesis';
import { InProcessFunctions } from './in-process-functions';
import { ServedSandbox } from './served-sandbox';

export const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'mea' } as const;
const TENANT_IDS = ['me-south-1_Under', 'me-south-1_Neighbor'];
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

interface Change {
  contentId: string;
  actingUser: string;
  owner: string;
  operation?: string;
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
  readonly output = captureOutput();
  readonly account = new Account('111111111111', 'eu-west-1');
  readonly functions = new InProcessFunctions(this.account);
  readonly apis = new RestApis();
  readonly #clock = new RunClock({});
  /** Issues the keys of callers that sign. */
  readonly credentials = new Credentials(this.account.accountId, this.#clock);
  sandbox!: ServedSandbox;
  /** The tenant whose callers are tested, and its neighbor in the same deployment. */
  tenants!: readonly [TenantUnderTest, TenantUnderTest];
  /** The stage's URL, without a trailing slash. */
  url!: string;
  ca!: string;
  readonly #endings: (() => unknown)[] = [() => this.#clock.close()];

  /**
   * Starts everything, loads credentials and fetches all tokens.
   * @param deployment configuration changes
   * @param authorRefs the users of each tenant, by default two, which the sandbox creates
   */
  static async start(
    deployment: Partial<WrittenDeployment> = {},
    authorRefs?: string[],
  ): Promise<RestoreApiUnderTest> {
    const api = new RestoreApiUnderTest();
    try {
      await api.#start(deployment, authorRefs);
      return api;
    } catch (error) {
      await api.stop();
      throw error;
    }
  }

  async #start(deployment: Partial<WrittenDeployment>, authorRefs?: string[]): Promise<void> {
    const sandbox = await ServedSandbox.start({
      deployments: [{ ...DEPLOYMENT_KEY, tenants: TENANT_IDS.map((tenantId) => ({ tenantId, authorRefs })) }],
      restoreAvailable: true,
      actingUserIn: deployment.restore?.actingUserIn ?? 'body',
    });
    this.sandbox = sandbox;
    this.#endings.push(() => sandbox.close());
    trustAuthority(sandbox.caCertificate);
    const paths = deploymentPaths(DEPLOYMENT_KEY);
    const addresses = {
      contentBaseUrl: `${sandbox.origin}${paths.content}`,
      contentTokenBaseUrl: `${sandbox.origin}${paths.contentToken}`,
      webhooksTokenBaseUrl: `${sandbox.origin}${paths.webhooksToken}`,
    };
    const written = {
      ...DEPLOYMENT_KEY,
      fullMonitoring: true,
      tenants: TENANT_IDS.map((tenantId) => ({ tenantId, tokens: ALL_TOKENS })),
      restore: { available: true },
      ...deployment,
      restoreApi: { ...UNLIMITED, ...deployment.restoreApi },
    };
    const configuration = parseConfiguration(
      { local: true, endpoints: { staging: { mea: addresses } }, deployments: [written] },
      'configuration of the test',
    );
    const gateway = await this.#deploy(synthesize(configuration).assembly.directory);
    this.tenants = (await Promise.all(TENANT_IDS.map((tenantId) => this.#load(tenantId)))) as [
      TenantUnderTest,
      TenantUnderTest,
    ];
    const sweep = [...this.account.functions.values()].find(({ name }) => /sweep/i.test(name))!;
    const swept = await this.functions.invoke(sweep.arn, Buffer.from('{"action":"sweep"}'));
    if (swept.kind !== 'ok') throw this.functions.failures.at(-1)!;
    const [api] = this.apis.byId.values();
    this.url = gateway.urlOf(api!.id, 'v1');
    this.ca = gateway.caCertificate;
  }

  /** Deploys the stacks into an AWS that listens. */
  async #deploy(assemblyFolder: string): Promise<ApiGatewayServer> {
    const { account, apis, credentials, functions: invoker } = this;
    const clock = this.#clock;
    const parts = { account, clock, reporter: new RecordingReporter() };
    const rotator = new Rotator({ ...parts, invoker });
    const common = { ...parts, credentials, invoker, port: 0 };
    const scheduleUpdates = { replaced: () => undefined };
    const [endpoint, gateway] = await Promise.all([
      startAwsEndpoint({ ...common, rotator, cloudWatch: new CloudWatch(parts), scheduleUpdates }),
      startApiGateway({ ...common, apis, writeLogs: writeLogEvents, onAnswer: () => undefined }),
    ]);
    this.#endings.push(
      () => rotator.close(),
      () => endpoint.close(),
      () => gateway.close(),
    );
    provisionAssembly(readAssembly(assemblyFolder), {
      account,
      nowMs: Date.now(),
      endpointUrl: endpoint.url,
      types: { ...apiGatewayResourceTypes(apis), ...rotationResourceTypes(rotator) },
    });
    const { accessKeyId, secretAccessKey } = credentials.issueForAdministrator();
    useAwsEndpoint(endpoint.url, {
      AWS_REGION: account.region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    });
    return gateway;
  }

  /** Issues credentials as the platform's support and an administrator do, and makes them current. */
  async #load(tenantId: string): Promise<TenantUnderTest> {
    const { sandbox } = this;
    const tenant = { ...DEPLOYMENT_KEY, tenantId };
    const key = await sandbox.control<{ apiKey: string }>('POST', 'api-keys', tenant);
    const values = {
      'client-credentials': await sandbox.control('POST', 'credentials', tenant),
      'api-key': key,
    } as const;
    for (const kind of CREDENTIAL_KINDS) {
      const secret = this.secretNamed(credentialSecretName('latchkey', tenant, kind));
      const versionId = 'loaded-by-the-test-00000000000000001';
      secret.versions.set(versionId, {
        versionId,
        secretString: JSON.stringify(values[kind]),
        stages: new Set(['AWSCURRENT']),
        createdAtMs: Date.now(),
      });
      recordAsProven(secret);
    }
    const { tenants } = await sandbox.control<{ tenants: TenantUnderTest[] }>('GET', 'tenants');
    const { authorRefs, collaborationIds } = tenants.find((each) => each.tenantId === tenantId)!;
    return { tenantId, apiKey: key.apiKey, authorRefs, collaborationIds };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#endings.map((end) => end()));
    jest.restoreAllMocks();
  }

  secretNamed(name: string): Secret {
    return [...this.account.secrets.values()].find((secret) => secret.name === name)!;
  }

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
    const current = currentValue(this.secretNamed(name))!;
    const { accessToken } = JSON.parse(current) as { accessToken: string };
    return `Bearer ${accessToken}`;
  }

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

  async changesOf(contentId: string): Promise<Change[]> {
    const { changes } = await this.sandbox.control<{ changes: Change[] }>('GET', 'audit');
    return changes.filter((change) => change.contentId === contentId);
  }
}

/** Records each version of a secret as proven, as after rotations: no other API key opens the restore API. */
export function recordAsProven(secret: Secret): void {
  const proven = [...secret.versions.values()].map((each) => judgedVersion(each.versionId, each.createdAtMs));
  secret.tags = { ...secret.tags, ...proofRecordTags({ proven, refused: undefined }) };
}
