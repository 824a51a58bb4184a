import { PassThrough, type Readable, Writable } from 'node:stream';

import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand } from '@aws-sdk/client-ssm';

import { CommandError } from '../cli/command-error';
import { openConfiguredSystem } from '../cli/configured-system';
import { EXIT } from '../cli/exit-codes';
import { runCommand } from '../cli/main';
import { parameterName } from '../contract/parameter-names';
import { credentialSecretName, tokenSecretName } from '../contract/secret-names';
import {
  type CommandResult,
  type DeployedLatchkey,
  type Outputs,
  type ProvenTenant,
  type SandboxControl,
} from '../probes/system';
import { clientsWith } from './clients';
import {
  platformAt,
  PROVEN_DEPLOYMENT,
  PROVEN_TENANTS,
  PROVEN_TOKENS,
  stacksOf,
  writeConfiguration,
} from './configuration';
import { configOfRole } from './config-of-role';
import { requestHttps } from './https-request';
import { type Ports } from './ports';

/** Where the sandbox is served, and the secret that opens its control interface. */
export interface Sandbox {
  /** Without a trailing slash. */
  readonly url: string;
  /** Undefined if it needs none. */
  readonly controlSecret: string | undefined;
}

interface LatchkeyOptions {
  readonly prefix: string;
  readonly ports: Ports;
  readonly sandbox: Sandbox;
  /** Where the run's configuration file is kept. */
  readonly configurationFile: string;
  /** Stops commands. */
  readonly signal: AbortController;
}

/** Latchkey as the run deploys it. */
export class RunLatchkey implements DeployedLatchkey {
  readonly environment = PROVEN_DEPLOYMENT.environment;
  readonly platformRegion = PROVEN_DEPLOYMENT.platformRegion;
  readonly stackName: string;
  readonly tenants: readonly ProvenTenant[];
  readonly sandbox: SandboxControl;
  restoreApiUrl = '';
  roles: DeployedLatchkey['roles'] = { operator: '', service: '' };
  readonly #options: LatchkeyOptions;

  constructor(options: LatchkeyOptions) {
    this.#options = options;
    this.stackName = stacksOf(options.prefix).deployment;
    this.sandbox = { call: (method, path, body) => this.#control(method, path, body) };
    this.tenants = PROVEN_TENANTS.map((tenantId) => this.#tenant(tenantId));
  }

  async deploy(settings: object = {}): Promise<void> {
    const { ports, configurationFile, prefix, sandbox } = this.#options;
    const platform = platformAt(sandbox.url);
    writeConfiguration(configurationFile, { prefix, place: ports.place, platform, settings });
    const outputs = await ports.stacks.deployAssembly(await ports.synthesize('latchkey', configurationFile));
    this.roles = rolesIn(outputs[stacksOf(prefix).roles]);
    this.restoreApiUrl = (await this.#parameter('restore-api-url')).replace(/\/$/, '');
  }

  /** Issues credentials to both tenants, loads them, and fetches all tokens. @throws {Error} if a command fails */
  async load(): Promise<void> {
    for (const { tenantId } of this.tenants) {
      const tenant = { ...PROVEN_DEPLOYMENT, tenantId };
      for (const [kind, command] of [
        ['credentials', 'credentials put'],
        ['api-keys', 'api-key put'],
      ] as const) {
        const issued = await this.sandbox.call('POST', `/${kind}`, tenant);
        await this.#succeed([...command.split(' '), '--tenant', tenantId], JSON.stringify(issued));
      }
      await this.#succeed(['token', 'refresh', '--all', '--tenant', tenantId]);
    }
  }

  functionArn(
    name: 'token-refresh' | 'token-sweep' | 'restore' | 'rotate-credentials' | 'credential-watch',
  ): Promise<string> {
    return this.#parameter(`${name}-arn`);
  }

  async command(args: readonly string[], input = ''): Promise<CommandResult> {
    const { ports, configurationFile, signal } = this.#options;
    const { credentials, endpoint, systemClockOffset = 0 } = await configOfRole(ports, this.roles.operator);
    const system = openConfiguredSystem({
      config: configurationFile,
      profile: undefined,
      account: ports.place.accountId,
      workingDir: process.cwd(),
      interrupted: signal.signal,
      access: {
        clientConfig: { credentials, systemClockOffset, ...(endpoint !== undefined && { endpoint }) },
        sendRequest: ports.sendRequest,
      },
    });
    const stdin = new PassThrough();
    stdin.end(input);
    const [stdout, stderr] = [new TextSink(), new TextSink()];
    const exitCode = await runCommand(args, {
      stdin: Object.assign(stdin as Readable, { isTTY: false }) as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      env: {},
      workingDir: process.cwd(),
      projectRoot: process.cwd(),
      runProgram: () => Promise.reject(new Error('commands of a proof start no program')),
      interrupt: signal,
      system,
    });
    return { exitCode, stdout: stdout.text, stderr: stderr.text };
  }

  readonly request: DeployedLatchkey['request'] = (address, options) =>
    requestHttps(this.#options.ports, address, options);

  #tenant(tenantId: string): ProvenTenant {
    const { prefix } = this.#options;
    const key = { ...PROVEN_DEPLOYMENT, tenantId };
    const secrets = {
      'client-credentials': credentialSecretName(prefix, key, 'client-credentials'),
      'api-key': credentialSecretName(prefix, key, 'api-key'),
    };
    return {
      tenantId,
      secrets,
      tokens: PROVEN_TOKENS.map((token) => ({
        ...token,
        secretName: tokenSecretName(prefix, { ...key, ...token }),
      })),
      author: async () => {
        const { tenants } = (await this.sandbox.call('GET', '/tenants')) as {
          tenants: { tenantId: string; authorRefs: string[] }[];
        };
        return tenants.find((each) => each.tenantId === tenantId)!.authorRefs[0]!;
      },
      apiKey: async () => {
        const { secretsManager } = clientsWith(this.#options.ports.clientConfig());
        const { SecretString = '{}' } = await secretsManager.send(
          new GetSecretValueCommand({ SecretId: secrets['api-key'] }),
        );
        return (JSON.parse(SecretString) as { apiKey: string }).apiKey;
      },
      archivedContent: async () => {
        const added = (await this.sandbox.call('POST', '/contents', key)) as { contentIds: string[] };
        return added.contentIds[0]!;
      },
    };
  }

  async #control(method: string, path: string, body?: object): Promise<unknown> {
    const { url, controlSecret } = this.#options.sandbox;
    const text = body && JSON.stringify(body);
    const answer = await this.request(`${url}/_sandbox${path}`, {
      method,
      headers: {
        ...(controlSecret !== undefined && { authorization: `Bearer ${controlSecret}` }),
        // Node omits the length of a DELETE's body.
        ...(text && { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }),
      },
      ...(text && { body: text }),
    });
    if (answer.status >= 300)
      throw failed('sandbox_failed', `the sandbox answered ${answer.status} to ${method} ${path}`);
    return answer.body === '' ? undefined : JSON.parse(answer.body);
  }

  async #succeed(args: readonly string[], input?: string): Promise<void> {
    const { exitCode, stderr } = await this.command(args, input);
    if (exitCode !== 0)
      throw failed('command_failed', `latchkey ${args.join(' ')} ended with ${exitCode}: ${stderr.trim()}`);
  }

  async #parameter(leaf: Parameters<typeof parameterName>[2]): Promise<string> {
    const { prefix, ports } = this.#options;
    const { ssm } = clientsWith(ports.clientConfig());
    const found = await ssm.send(
      new GetParameterCommand({ Name: parameterName(prefix, PROVEN_DEPLOYMENT, leaf) }),
    );
    return found.Parameter!.Value!;
  }
}

function rolesIn(outputs: Outputs | undefined): DeployedLatchkey['roles'] {
  const { OperatorRoleArn: operator, ServiceRoleArn: service } = outputs ?? {};
  if (operator === undefined || service === undefined)
    throw new Error('the stack of the roles has no outputs');
  return { operator, service };
}

const failed = (code: string, message: string) => new CommandError(EXIT.failed, code, message);

/** Collects what is written to it. */
class TextSink extends Writable {
  text = '';

  override _write(chunk: Buffer | string, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
