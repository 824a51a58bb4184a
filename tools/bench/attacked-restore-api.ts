import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { credentialSecretName } from '../../contract/secret-names';
import { Account } from '../../local/account';
import { startApiGateway } from '../../local/api-gateway/api-gateway-server';
import { apiGatewayResourceTypes } from '../../local/api-gateway/api-gateway-resource-types';
import { RestApis } from '../../local/api-gateway/rest-api';
import { startAwsEndpoint } from '../../local/aws/endpoint';
import { writeFunctionLogs } from '../../local/aws/logs-service';
import { CloudWatch } from '../../local/cloudwatch/cloudwatch';
import { Credentials } from '../../local/iam/access-keys';
import { rotationResourceTypes } from '../../local/rotation/rotation-resource-types';
import { Rotator } from '../../local/rotation/rotator';
import { RunClock } from '../../local/run-clock';
import { synthesize } from '../../local/synthesis';
import { readAssembly } from '../../local/template/assembly';
import { provisionAssembly } from '../../local/template/provision';
import { deploymentPaths } from '../../platform/sandbox/addresses';
import { AwsGate } from '../../test/faults/support/aws-gate';
import { ServedSandbox } from '../../test/support/restore-api/served-sandbox';
import { type FloodRequest } from './floods';
import { FunctionInstances } from './function-instances';

const ROOT = join(__dirname, '../..');
const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'global' } as const;
const TOKENS = ['api/read', 'api/write'].map((scope) => ({ interface: 'content', scope }));
const SILENT = { step: () => undefined, functionLog: () => undefined, warning: () => undefined };

/** The default limits, in requests per second and in requests. */
export const USUAL_LIMITS = { rateLimit: 20, burstLimit: 40 };

/**
 * The restore API of a laptop system: API Gateway, AWS and the platform in this process, all functions in another one.
 * The functions' calls of AWS pass {@link gate}.
 */
export class AttackedRestoreApi {
  readonly gate: AwsGate;
  readonly tenantIds: readonly string[];
  /** The stage's URL, without a trailing slash. */
  readonly url: string;
  readonly ca: string;
  readonly #functions: FunctionInstances;
  readonly #account: Account;
  readonly #sandbox: ServedSandbox;
  readonly #apiKey: string;
  readonly #endings: readonly (() => unknown)[];
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(
    parts: Pick<AttackedRestoreApi, 'gate' | 'tenantIds' | 'url' | 'ca'>,
    hidden: { functions: FunctionInstances; account: Account; sandbox: ServedSandbox; apiKey: string },
    endings: readonly (() => unknown)[],
  ) {
    this.gate = parts.gate;
    this.tenantIds = parts.tenantIds;
    this.url = parts.url;
    this.ca = parts.ca;
    this.#functions = hidden.functions;
    this.#account = hidden.account;
    this.#sandbox = hidden.sandbox;
    this.#apiKey = hidden.apiKey;
    this.#endings = endings;
  }

  /** Starts everything for ten tenants, loads their credentials and fetches their tokens. */
  static async start(): Promise<AttackedRestoreApi> {
    const endings: (() => unknown)[] = [];
    try {
      return await AttackedRestoreApi.begin(endings);
    } catch (error) {
      await end(endings);
      throw error;
    }
  }

  private static async begin(endings: (() => unknown)[]): Promise<AttackedRestoreApi> {
    const tenantIds = Array.from({ length: 10 }, (_, n) => `eu-west-2_Tenant${n}`);
    const sandbox = await ServedSandbox.start({
      cells: [{ ...DEPLOYMENT_KEY, tenants: tenantIds.map((tenantId) => ({ tenantId })) }],
    });
    endings.push(() => sandbox.close());
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-attacked-'));
    endings.push(() => rmSync(folder, { recursive: true }));
    const assembly = await synthesizeInto(folder, sandbox.origin, tenantIds);
    const account = new Account(assembly.accountId, assembly.region);
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, sandbox.caCertificate);
    const aws = await startAws(account, caFile);
    endings.push(aws.stop);
    const { endpoint, apiGateway, gate, functions } = aws;
    provisionAssembly(assembly, {
      account,
      nowMs: Date.now(),
      endpointUrl: endpoint.url,
      types: aws.resourceTypes,
    });
    const apiKey = await loadCredentials(account, aws, sandbox, tenantIds);
    const [api] = aws.apis.apis.values();
    return new AttackedRestoreApi(
      { gate, tenantIds, url: apiGateway.urlOf(api!.id, 'v1'), ca: apiGateway.caCertificate },
      { functions, account, sandbox, apiKey },
      endings,
    );
  }

  /** Replaces the authorizer's instances by new ones that have looked nothing up, and forgets all calls. */
  async startAnew(): Promise<void> {
    await this.#functions.remove(functionOf(this.#account, 'RestoreAuthorizer').arn);
    const refused = { path: '/tenants/any/contents/any/restore', headers: {}, body: '' };
    await Promise.all(Array.from({ length: 4 }, () => this.send(refused)));
    this.gate.reset();
  }

  /** A restore by the first tenant with its API key; the content is archived at the first one. */
  async restoreOf(): Promise<FloodRequest> {
    const [tenantId] = this.tenantIds;
    const input = { ...DEPLOYMENT_KEY, tenantId, status: 'archived', count: 1 };
    const { contentIds } = await this.#sandbox.control<{ contentIds: string[] }>('POST', 'contents', input);
    const { tenants } = await this.#sandbox.control<{
      tenants: { tenantId: string; authorRefs: string[] }[];
    }>('GET', 'tenants');
    const [authorRef] = tenants.find((tenant) => tenant.tenantId === tenantId)!.authorRefs;
    return {
      path: `/tenants/${tenantId}/contents/${contentIds[0]}/restore`,
      headers: {
        authorization: `Basic ${Buffer.from(`${tenantId}:${this.#apiKey}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ authorRef }),
    };
  }

  /** Sends a request on a kept connection, since handshakes would take most of the measured time. @returns its status */
  async send({ path, headers, body }: FloodRequest): Promise<number> {
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    // The path is passed separately, since a URL would normalize `%2E%2E`.
    const { origin, pathname } = new URL(this.url);
    const sent = request(origin, {
      ...{ path: `${pathname}${path}`, method: 'POST', ca: this.ca, agent: this.#agent },
      headers: { ...headers, ...length },
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  }

  stop(): Promise<void> {
    this.#agent.destroy();
    return end(this.#endings);
  }
}

async function end(endings: readonly (() => unknown)[]): Promise<void> {
  for (const ending of [...endings].reverse()) await ending();
}

async function synthesizeInto(folder: string, origin: string, tenantIds: readonly string[]) {
  const paths = deploymentPaths(DEPLOYMENT_KEY);
  const configFile = join(folder, 'configuration.json');
  const addresses = {
    contentBaseUrl: `${origin}${paths.content}`,
    contentTokenBaseUrl: `${origin}${paths.contentToken}`,
  };
  const deployment = {
    ...DEPLOYMENT_KEY,
    tenants: tenantIds.map((tenantId) => ({ tenantId, tokens: TOKENS })),
    restore: { available: true },
    restoreApi: USUAL_LIMITS,
  };
  const configuration = {
    local: true,
    endpoints: { staging: { global: addresses } },
    deployments: [deployment],
  };
  writeFileSync(configFile, JSON.stringify(configuration));
  const outDir = join(folder, 'cdk.out');
  const { signal } = new AbortController();
  await synthesize({ projectRoot: ROOT, configFile, sourceFile: configFile, outDir, signal });
  return readAssembly(outDir);
}

async function startAws(account: Account, caFile: string) {
  const clock = new RunClock({});
  const credentials = new Credentials(account.accountId, clock);
  const cloudWatch = new CloudWatch({ account, clock, reporter: SILENT });
  const { accessKeyId, secretAccessKey } = credentials.issueForAdministrator();
  const administrator = { accessKeyId, secretAccessKey };
  const environment: Record<string, string> = {
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    NODE_EXTRA_CA_CERTS: caFile,
  };
  const functions = new FunctionInstances(account, environment);
  const rotator = new Rotator({ account, clock, invoker: functions, reporter: SILENT });
  const common = { account, credentials, invoker: functions, clock, reporter: SILENT, port: 0 };
  const apis = new RestApis();
  const endpoint = await startAwsEndpoint({
    ...{ ...common, rotator, cloudWatch },
    scheduleUpdates: { replaced: () => undefined },
  });
  const apiGateway = await startApiGateway({
    ...{ ...common, apis, writeLogs: writeFunctionLogs, onAnswer: () => undefined },
  });
  const gate = await AwsGate.start(endpoint.url);
  functions.environment = { AWS_ENDPOINT_URL: gate.url };
  return {
    ...{ endpoint, apiGateway, apis, gate, functions, administrator },
    resourceTypes: { ...apiGatewayResourceTypes(apis), ...rotationResourceTypes(rotator) },
    stop: async () => {
      rotator.close();
      clock.close();
      await Promise.all([functions.stop(), endpoint.close(), apiGateway.close(), gate.stop()]);
    },
  };
}

/** Loads two API keys for each tenant, so that there is a previous one. @returns the first tenant's current API key */
async function loadCredentials(
  account: Account,
  { endpoint, administrator, functions }: Awaited<ReturnType<typeof startAws>>,
  sandbox: ServedSandbox,
  tenantIds: readonly string[],
): Promise<string> {
  const client = new SecretsManagerClient({
    endpoint: endpoint.url,
    region: account.region,
    credentials: administrator,
  });
  const put = (SecretId: string, value: object) =>
    client.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(value) }));
  const issue = <Value extends object>(path: string, tenantId: string) =>
    sandbox.control<Value>('POST', path, { ...DEPLOYMENT_KEY, tenantId });
  let apiKeyOfFirst = '';
  for (const tenantId of [...tenantIds].reverse()) {
    const tenant = { ...DEPLOYMENT_KEY, tenantId };
    await put(
      credentialSecretName('latchkey', tenant, 'client-credentials'),
      await issue('credentials', tenantId),
    );
    const apiKeyName = credentialSecretName('latchkey', tenant, 'api-key');
    await put(apiKeyName, await issue('api-keys', tenantId));
    const current = await issue<{ apiKey: string }>('api-keys', tenantId);
    await put(apiKeyName, current);
    apiKeyOfFirst = current.apiKey;
  }
  client.destroy();
  const swept = await functions.invoke(
    functionOf(account, 'Sweep').arn,
    Buffer.from(JSON.stringify({ action: 'sweep' })),
  );
  if (swept.kind !== 'ok') throw new Error('the tokens could not be fetched');
  return apiKeyOfFirst;
}

function functionOf(account: Account, named: string) {
  return [...account.functions.values()].find(({ name }) => name.includes(named))!;
}
