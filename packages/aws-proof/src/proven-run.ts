import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import {
  GetScheduleCommand,
  UpdateScheduleCommand,
  type UpdateScheduleCommandInput,
} from '@aws-sdk/client-scheduler';
import { GetParameterCommand } from '@aws-sdk/client-ssm';

import { CommandError } from '../../../cli/command-error';
import { openConfiguredSystem } from '../../../cli/configured-system';
import { EXIT } from '../../../cli/exit-codes';
import { runCommand } from '../../../cli/main';
import { parameterName } from '../../../core/deployment/parameter-names';
import { RUN_TAG } from '../../../core/deployment/run-tag';
import { scheduleName } from '../../../core/deployment/schedules';
import { type HttpsAnswer, type HttpsRequest } from '../../../lambdas/shared/adapters/https-client';
import { type AwsClients, clientsWith, configOfRole } from './clients';
import {
  configurationOf,
  platformAt,
  PROVEN_DEPLOYMENT,
  PROVEN_TENANTS,
  stackNamesOf,
} from './configuration';
import { type Outputs, type Ports } from './ports';
import { type ProvenTenant, provenTenant } from './proven-tenant';
import { matches } from './question';
import { type Secret, secretAt } from './secret';

const REQUEST_DEFAULTS = {
  method: 'GET',
  headers: {},
  body: '',
  connectTimeoutMs: 10_000,
  totalTimeoutMs: 35_000,
  maxAnswerBytes: 1024 * 1024,
} as const;

/** Within this time, policies, labels, log lines, new API keys and the tokens after a rotation take effect everywhere. */
const SETTLED_SEC = 120;

export interface RunOptions {
  readonly prefix: string;
  readonly ports: Ports;
  /** For the run's files; exists. */
  readonly folder: string;
  /** Ends running commands early. */
  readonly interrupt: AbortController;
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
  /** What the run's own stack outputs: ARNs of its roles, and the address of the API whose functions fail. */
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
    this.tenants = PROVEN_TENANTS.map((tenantId) => provenTenant(this, tenantId));
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
    this.outputs = await this.#deployPart('latchkey', settings);
    this.restoreApiUrl = (await this.parameter('restore-api-url')).replace(/\/$/, '');
  }

  /** @returns the outputs of the sandbox's stack, or of the run's own */
  async #deployPart(part: 'sandbox' | 'latchkey', settings = {}): Promise<Outputs> {
    const { prefix, ports } = this;
    const platform = platformAt(this.#sandbox?.url);
    const configuration = configurationOf({ prefix, location: ports.location, platform, settings });
    writeFileSync(this.#configFile, JSON.stringify(configuration), { mode: 0o600 });
    const assembly = await ports.synthesize(part, this.#configFile);
    const outputs = await ports.stacks.deployAssembly(assembly);
    const stackNames = stackNamesOf(prefix);
    return outputs[part === 'sandbox' ? stackNames.sandbox : stackNames.run] ?? {};
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

  /** Calls `look` until it returns the wanted text, by default for two minutes. @returns what it returned last */
  async settle(
    look: () => Promise<string>,
    wanted: string | RegExp,
    wait: { readonly withinSec?: number; readonly everySec?: number } = {},
  ): Promise<string> {
    let seen = '';
    const isSeen = async () => matches((seen = await look()), wanted) || undefined;
    await this.time.until(isSeen, { withinSec: SETTLED_SEC, ...wait });
    return seen;
  }

  async switchSweep(State: 'ENABLED' | 'DISABLED'): Promise<void> {
    const { scheduler } = this.aws;
    const Name = scheduleName(this.prefix, this.deployment, 'token-sweep');
    const schedule = await scheduler.send(new GetScheduleCommand({ Name }));
    await scheduler.send(new UpdateScheduleCommand({ ...schedule, State } as UpdateScheduleCommandInput));
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
    const { location, sendRequest } = this.ports;
    const workingDir = process.cwd();
    const clientConfig = await configOfRole(this.ports, this.outputs.OperatorRoleArn!);
    const system = openConfiguredSystem({
      config: this.#configFile,
      profile: undefined,
      account: location.accountId,
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

  get #configFile(): string {
    return join(this.#options.folder, 'latchkey.json');
  }
}

const failed = (code: string, message: string) => new CommandError(EXIT.failed, code, message);
