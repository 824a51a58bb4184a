import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { CreateSecretCommand, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand } from '@aws-sdk/client-ssm';

import { CommandError } from '../../../cli/command-error';
import { openConfiguredSystem } from '../../../cli/configured-system';
import { EXIT } from '../../../cli/exit-codes';
import { runCommand } from '../../../cli/main';
import { parameterName } from '../../../core/deployment/parameter-names';
import { RESTORE_PATH } from '../../../core/restore/restore-operation';
import { RUN_TAG } from '../../../core/deployment/run-tag';
import {
  type CredentialKind,
  credentialSecretName,
  tokenSecretName,
} from '../../../core/secrets/secret-names';
import { type HttpsAnswer, type HttpsRequest } from '../../../lambdas/shared/adapters/https-client';
import { type AwsClients, clientsWith, configOfRole } from './clients';
import { platformAt, PROVEN_DEPLOYMENT, PROVEN_TENANTS, stacksOf, writeConfiguration } from './configuration';
import { type Outputs, type Ports } from './ports';

const REQUEST_LIMITS = { connectTimeoutMs: 10_000, totalTimeoutMs: 35_000, maxAnswerBytes: 1024 * 1024 };

export interface RunOptions {
  readonly prefix: string;
  readonly ports: Ports;
  /** For the run's files; exists. */
  readonly folder: string;
  /** Stops commands. */
  readonly interrupt: AbortController;
  /** Called before each step. */
  readonly onStep?: (text: string) => void;
}

/** What `latchkey` printed with `--json`, and how it ended. */
export interface Printed<Document> {
  readonly exitCode: number;
  readonly document: Document;
  readonly stderr: string;
}

/** What questions are asked of: an account in which Latchkey is deployed against a sandbox of the platform. */
export class ProvenRun {
  readonly deployment = PROVEN_DEPLOYMENT;
  readonly prefix: string;
  readonly ports: Ports;
  readonly time: Ports['time'];
  readonly tenants: readonly ProvenTenant[];
  /** Of the run's own stack: ARNs of its roles, and the API whose functions fail. */
  outputs: Outputs = {};
  /** Without a trailing slash. */
  restoreApiUrl = '';
  readonly #options: RunOptions;
  #sandbox: { readonly url: string; readonly controlSecret: string } | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.prefix = options.prefix;
    this.ports = options.ports;
    this.time = options.ports.time;
    this.tenants = PROVEN_TENANTS.map((tenantId) => new ProvenTenant(this, tenantId));
  }

  /** Deploys the sandbox, and Latchkey against it; loads credentials, and fetches all tokens. @throws {DeploymentFailed} */
  async begin(): Promise<void> {
    const { ports, prefix } = this;
    const { onStep = () => undefined } = this.#options;
    onStep('deploying the sandbox of the platform');
    writeConfiguration(this.#file, { prefix, place: ports.place, platform: platformAt() });
    const outputs = await ports.stacks.deployAssembly(await ports.synthesize('sandbox', this.#file));
    const { SandboxUrl: url, ControlSecretName: SecretId } = outputs[stacksOf(prefix).sandbox] ?? {};
    if (url === undefined) throw new Error('the stack of the sandbox has no outputs');
    const { SecretString = '' } = await this.aws.secretsManager.send(new GetSecretValueCommand({ SecretId }));
    this.#sandbox = { url, controlSecret: SecretString };
    onStep('deploying Latchkey');
    await this.deploy();
    onStep('loading credentials');
    for (const tenant of this.tenants) {
      await this.#succeed(await tenant.loadNew('client-credentials'));
      await this.#succeed(await tenant.loadNew('api-key'));
      await this.#succeed(await this.latchkey(['token', 'refresh', '--all', '--tenant', tenant.tenantId]));
    }
  }

  /** Deploys Latchkey. @param settings of its deployment, besides the usual ones */
  async deploy(settings: object = {}): Promise<void> {
    const { prefix, ports } = this;
    const platform = platformAt(this.#sandbox!.url);
    writeConfiguration(this.#file, { prefix, place: ports.place, platform, settings });
    const outputs = await ports.stacks.deployAssembly(await ports.synthesize('latchkey', this.#file));
    this.outputs = outputs[stacksOf(prefix).run] ?? {};
    this.restoreApiUrl = (await this.parameter('restore-api-url')).replace(/\/$/, '');
  }

  /** SDK clients with the permissions of the command's caller. */
  get aws(): AwsClients {
    return clientsWith(this.ports.clientConfig());
  }

  /** SDK clients with the permissions of a role of the run's own stack. */
  async as(role: 'Operator' | 'Service' | 'Describer'): Promise<AwsClients> {
    return clientsWith(await configOfRole(this.ports, this.outputs[`${role}RoleArn`]!));
  }

  /** Creates a secret outside stacks, which the removal of the run finds. @param value by default none, and so no version */
  async secret(SecretString?: string): Promise<string> {
    const Tags = [{ Key: RUN_TAG, Value: this.prefix }];
    const Name = `${this.prefix}-question/${randomUUID()}`;
    const command = new CreateSecretCommand({ Name, Tags, SecretString });
    return (await this.aws.secretsManager.send(command)).ARN!;
  }

  /** A parameter that Latchkey publishes. */
  async parameter(leaf: Parameters<typeof parameterName>[2]): Promise<string> {
    const Name = parameterName(this.prefix, PROVEN_DEPLOYMENT, leaf);
    return (await this.aws.ssm.send(new GetParameterCommand({ Name }))).Parameter!.Value!;
  }

  /** Sends an HTTPS request: to the restore API, the platform, or the API whose functions fail. */
  request(
    address: string,
    {
      method = 'GET',
      headers = {},
      body = '',
    }: Partial<Pick<HttpsRequest, 'method' | 'headers' | 'body'>> = {},
  ): Promise<HttpsAnswer> {
    const url = new URL(address);
    return this.ports.sendRequest({ ...REQUEST_LIMITS, url, method, headers, body });
  }

  /** Where the platform serves contents of the deployment. */
  get contentsUrl(): string {
    return `${platformAt(this.#sandbox!.url).contentBaseUrl}/contents`;
  }

  /** Calls the control interface of the platform's sandbox. @returns the parsed answer */
  async sandbox<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const { url, controlSecret } = this.#sandbox!;
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${controlSecret}`,
      // Node omits the length of a DELETE's body.
      ...(text && { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }),
    };
    const answered = await this.request(`${url}/_sandbox${path}`, { method, headers, body: text });
    if (answered.status >= 300)
      throw failed('sandbox_failed', `the sandbox answered ${answered.status} to ${method} ${path}`);
    return (answered.body === '' ? undefined : JSON.parse(answered.body)) as Answer;
  }

  /** Runs `latchkey` with `--json` and the run's configuration, as the operator. @param input for its standard input */
  async latchkey<Document = object>(args: readonly string[], input = ''): Promise<Printed<Document>> {
    const { interrupt } = this.#options;
    const { ports } = this;
    const config = await configOfRole(ports, this.outputs.OperatorRoleArn!);
    const { credentials, endpoint, systemClockOffset = 0 } = config;
    const workingDir = process.cwd();
    const system = openConfiguredSystem({
      config: this.#file,
      profile: undefined,
      account: ports.place.accountId,
      workingDir,
      interrupted: interrupt.signal,
      access: {
        clientConfig: { credentials, systemClockOffset, ...(endpoint !== undefined && { endpoint }) },
        sendRequest: ports.sendRequest,
      },
    });
    const stdin = new PassThrough();
    stdin.end(input);
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const exitCode = await runCommand([...args, '--json'], {
      stdin: Object.assign(stdin, { isTTY: false }) as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      env: {},
      workingDir,
      projectRoot: workingDir,
      runProgram: () => Promise.reject(new Error('commands of a run start no program')),
      interrupt,
      system,
    });
    const [printed, messages] = await Promise.all([stdout, stderr].map((stream) => text(stream.end())));
    return { exitCode, document: JSON.parse(printed || '{}') as Document, stderr: messages! };
  }

  async #succeed({ exitCode, stderr }: Printed<object>): Promise<void> {
    if (exitCode !== EXIT.done)
      throw failed('command_failed', `latchkey ended with ${exitCode}: ${stderr.trim()}`);
  }

  get #file(): string {
    return join(this.#options.folder, 'latchkey.json');
  }
}

/** A tenant with credentials, an API key and two tokens. */
export class ProvenTenant {
  readonly tenantId: string;
  readonly #run: ProvenRun;

  constructor(run: ProvenRun, tenantId: string) {
    this.#run = run;
    this.tenantId = tenantId;
  }

  get key() {
    return { ...PROVEN_DEPLOYMENT, tenantId: this.tenantId };
  }

  secretName(kind: CredentialKind): string {
    return credentialSecretName(this.#run.prefix, this.key, kind);
  }

  tokenName(scope: 'api/read' | 'api/write'): string {
    return tokenSecretName(this.#run.prefix, { ...this.key, interface: 'content', scope });
  }

  async accessToken(aws: AwsClients, scope: 'api/read' | 'api/write'): Promise<string> {
    return (await valueOf<{ accessToken: string }>(aws, this.tokenName(scope))).accessToken;
  }

  async apiKey(): Promise<string> {
    return (await valueOf<{ apiKey: string }>(this.#run.aws, this.secretName('api-key'))).apiKey;
  }

  /** A user of the platform who may restore. */
  async author(): Promise<string> {
    type Tenants = { tenants: { tenantId: string; authorRefs: string[] }[] };
    const { tenants } = await this.#run.sandbox<Tenants>('GET', '/tenants');
    return tenants.find(({ tenantId }) => tenantId === this.tenantId)!.authorRefs[0]!;
  }

  /** Puts a new archived content on the platform. @returns its id */
  async archivedContent(): Promise<string> {
    const added = await this.#run.sandbox<{ contentIds: string[] }>('POST', '/contents', this.key);
    return added.contentIds[0]!;
  }

  /** Has the platform issue a credential, and loads it with the command. */
  async loadNew(kind: CredentialKind, ...flags: string[]): Promise<Printed<Changed>> {
    const [path, command] = kind === 'api-key' ? ['/api-keys', 'api-key'] : ['/credentials', 'credentials'];
    const issued = await this.#run.sandbox<object>('POST', path, this.key);
    const args = [command, 'put', '--tenant', this.tenantId, ...flags];
    return this.#run.latchkey(args, JSON.stringify(issued));
  }

  /** Sends a restore, by default of a new content. @returns status and the content's status, or the code of the error */
  async restore(headers: Readonly<Record<string, string>>, content?: string): Promise<string> {
    const contentId = content ?? (await this.archivedContent());
    const path = RESTORE_PATH.replace('{tenantId}', this.tenantId).replace('{contentId}', contentId);
    const { status, body } = await this.#run.request(this.#run.restoreApiUrl + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ authorRef: await this.author() }),
    });
    const { status: record, code } = JSON.parse(body) as { status?: unknown; code?: string };
    return `${status} ${code ?? String(record)}`;
  }

  /** Headers of a request with the API key. */
  basic(apiKey: string) {
    return { authorization: `Basic ${Buffer.from(`${this.tenantId}:${apiKey}`).toString('base64')}` };
  }
}

/** What a command that changes a credential prints. */
interface Changed {
  readonly outcome?: string;
  readonly error?: { readonly code: string };
}

/** Such as `exit code 0, promoted`; with the code of its error if it failed. */
export function changeOf({ exitCode, document: { outcome, error } }: Printed<Changed>): string {
  return `exit code ${exitCode}, ${outcome ?? error?.code ?? 'nothing'}`;
}

/** A secret's JSON. @param VersionStage `AWSCURRENT` by default */
export async function valueOf<Value>(
  { secretsManager }: AwsClients,
  SecretId: string,
  VersionStage?: string,
): Promise<Value> {
  const command = new GetSecretValueCommand({ SecretId, VersionStage });
  return JSON.parse((await secretsManager.send(command)).SecretString ?? '{}') as Value;
}

export const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });

const failed = (code: string, message: string) => new CommandError(EXIT.failed, code, message);
