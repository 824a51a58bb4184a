import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
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
import { configurationOf, platformAt, PROVEN_DEPLOYMENT, PROVEN_TENANTS, stacksOf } from './configuration';
import { type Outputs, type Ports } from './ports';
import { isAs } from './question';

const REQUEST_DEFAULTS = {
  method: 'GET',
  headers: {},
  body: '',
  connectTimeoutMs: 10_000,
  totalTimeoutMs: 35_000,
  maxAnswerBytes: 1024 * 1024,
} as const;

/**
 * Policies, labels and lines of a log are in force or found after some seconds on AWS, tokens renewed right after a rotation, and new
 * keys read.
 */
const SETTLED_SEC = 120;

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
    this.tenants = PROVEN_TENANTS.map((tenantId) => tenantOf(this, tenantId));
  }

  /** Deploys the sandbox, and Latchkey against it; loads credentials, and fetches all tokens. @throws {DeploymentFailed} */
  async begin(): Promise<void> {
    const { onStep = () => undefined } = this.#options;
    onStep('deploying the sandbox of the platform');
    const { SandboxUrl: url, ControlSecretName: secretName } = await this.#deployPart('sandbox');
    if (url === undefined) throw new Error('the stack of the sandbox has no outputs');
    const { SecretString: controlSecret = '' } = await secretAt(this, secretName!).read();
    this.#sandbox = { url, controlSecret };
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
    this.outputs = await this.#deployPart('run', settings);
    this.restoreApiUrl = (await this.parameter('restore-api-url')).replace(/\/$/, '');
  }

  /** @returns the outputs of the stack of that name */
  async #deployPart(part: 'sandbox' | 'run', settings = {}): Promise<Outputs> {
    const { prefix, ports } = this;
    const platform = platformAt(this.#sandbox?.url);
    const configuration = configurationOf({ prefix, place: ports.place, platform, settings });
    writeFileSync(this.#file, JSON.stringify(configuration), { mode: 0o600 });
    const assembly = await ports.synthesize(part === 'run' ? 'latchkey' : part, this.#file);
    return (await ports.stacks.deployAssembly(assembly))[stacksOf(prefix)[part]] ?? {};
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
  async newSecret(SecretString?: string): Promise<Secret> {
    const Tags = [{ Key: RUN_TAG, Value: this.prefix }];
    const Name = `${this.prefix}-question/${randomUUID()}`;
    const command = new CreateSecretCommand({ Name, Tags, SecretString });
    return secretAt(this, (await this.aws.secretsManager.send(command)).ARN!);
  }

  /** Looks until it sees what is wanted. @returns what it saw last */
  async settle(
    look: () => Promise<string>,
    wanted: string | RegExp,
    wait: { readonly withinSec?: number; readonly everySec?: number } = {},
  ): Promise<string> {
    let seen = '';
    const isSeen = async () => isAs((seen = await look()), wanted) || undefined;
    await this.time.until(isSeen, { withinSec: SETTLED_SEC, ...wait });
    return seen;
  }

  /** A parameter that Latchkey publishes. */
  async parameter(leaf: Parameters<typeof parameterName>[2]): Promise<string> {
    const Name = parameterName(this.prefix, PROVEN_DEPLOYMENT, leaf);
    return (await this.aws.ssm.send(new GetParameterCommand({ Name }))).Parameter!.Value!;
  }

  /** Sends an HTTPS request: to the restore API, the platform, or the API whose functions fail. */
  request(address: string, sent: Partial<HttpsRequest> = {}): Promise<HttpsAnswer> {
    return this.ports.sendRequest({ ...REQUEST_DEFAULTS, ...sent, url: new URL(address) });
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
    const { place, sendRequest } = this.ports;
    const workingDir = process.cwd();
    const clientConfig = await configOfRole(this.ports, this.outputs.OperatorRoleArn!);
    const system = openConfiguredSystem({
      config: this.#file,
      profile: undefined,
      account: place.accountId,
      workingDir,
      interrupted: interrupt.signal,
      access: { clientConfig, sendRequest },
    });
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const exitCode = await runCommand([...args, '--json'], {
      stdin: Readable.from([Buffer.from(input)]) as unknown as NodeJS.ReadStream,
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

export type ProvenTenant = ReturnType<typeof tenantOf>;

/** A tenant with credentials, an API key and two tokens. */
function tenantOf(run: ProvenRun, tenantId: string) {
  const key = { ...PROVEN_DEPLOYMENT, tenantId };
  const secretName = (kind: CredentialKind) => credentialSecretName(run.prefix, key, kind);
  const tokenName = (scope: 'api/read' | 'api/write') =>
    tokenSecretName(run.prefix, { ...key, interface: 'content', scope });
  /** A user of the platform who may restore. */
  const author = async () => {
    type Tenants = { tenants: { tenantId: string; authorRefs: string[] }[] };
    const { tenants } = await run.sandbox<Tenants>('GET', '/tenants');
    return tenants.find((tenant) => tenant.tenantId === tenantId)!.authorRefs[0]!;
  };
  /** Puts a new archived content on the platform. @returns its id */
  const archivedContent = async () =>
    (await run.sandbox<{ contentIds: string[] }>('POST', '/contents', key)).contentIds[0]!;
  return {
    tenantId,
    key,
    secretName,
    tokenName,
    author,
    archivedContent,
    accessToken: async (aws: AwsClients, scope: 'api/read' | 'api/write') =>
      (await secretAt({ aws }, tokenName(scope)).json<{ accessToken: string }>()).accessToken,
    apiKey: async () => (await secretAt(run, secretName('api-key')).json<{ apiKey: string }>()).apiKey,
    /** Has the platform issue a credential, and loads it with the command. */
    loadNew: async (kind: CredentialKind, ...flags: string[]): Promise<Changed> => {
      const [path, command] = kind === 'api-key' ? ['/api-keys', 'api-key'] : ['/credentials', 'credentials'];
      const issued = await run.sandbox<object>('POST', path, key);
      return run.latchkey([command, 'put', '--tenant', tenantId, ...flags], JSON.stringify(issued));
    },
    /** Sends a restore, by default of a new content. @returns status and the content's status, or the code of the error */
    restore: async (headers: Readonly<Record<string, string>>, content?: string): Promise<string> => {
      const contentId = content ?? (await archivedContent());
      const path = RESTORE_PATH.replace('{tenantId}', tenantId).replace('{contentId}', contentId);
      const { status, body } = await run.request(run.restoreApiUrl + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ authorRef: await author() }),
      });
      const { status: record, code } = JSON.parse(body) as { status?: unknown; code?: string };
      return `${status} ${code ?? String(record)}`;
    },
    /** Headers of a request with the API key. */
    basic: (apiKey: string) => ({
      authorization: `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`,
    }),
  };
}

/** What a command that changes a credential prints. */
type Changed = Printed<{ outcome?: string; error?: { code: string } }>;

/** A change that succeeded. */
export const PROMOTED = 'exit code 0, promoted';

/** Such as {@link PROMOTED}; with the code of its error if it failed. */
export function changeOf({ exitCode, document: { outcome, error } }: Changed): string {
  return `exit code ${exitCode}, ${outcome ?? error?.code ?? 'nothing'}`;
}

export type Secret = ReturnType<typeof secretAt>;

/** A secret. @param caller with whose permissions; asked for clients anew each time, because the laptop's change with its clock */
export function secretAt(caller: { readonly aws: AwsClients }, SecretId: string) {
  const client = () => caller.aws.secretsManager;
  const describe = () => client().send(new DescribeSecretCommand({ SecretId }));
  const read = (VersionId?: string) => client().send(new GetSecretValueCommand({ SecretId, VersionId }));
  return {
    id: SecretId,
    describe,
    /** @param VersionId by default the current version's */
    read,
    json: async <Value>() => JSON.parse((await read()).SecretString ?? '{}') as Value,
    /** @returns the id of the new version */
    put: async (SecretString: string | undefined, ClientRequestToken?: string) => {
      const command = new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken });
      return (await client().send(command)).VersionId!;
    },
    /** The version with a label. */
    holderOf: async (label: string) => {
      const { VersionIdsToStages = {} } = await describe();
      return Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]!.includes(label));
    },
  };
}

export const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });

const failed = (code: string, message: string) => new CommandError(EXIT.failed, code, message);
