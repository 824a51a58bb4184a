import { rmSync } from 'node:fs';

import { SignatureV4 } from '@smithy/signature-v4';
import { type AwsCredentialIdentity } from '@smithy/types';

import { NodeSha256 } from '../../cli/restore/signature-authorizer';
import { DeploymentFailed, type Outputs, type StackTemplate } from '../../probes/system';
import { type AccountStacks, type ListedStack } from './account-stacks';
import { type AssemblyOptions, writeAssembly } from './template-assembly';

/** The caller's access to the laptop's endpoint now. */
export interface LaptopAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: AwsCredentialIdentity;
  /** How far the run's clock is ahead, in milliseconds. */
  readonly systemClockOffset: number;
}

interface LaptopStacksOptions {
  readonly access: () => LaptopAccess | Promise<LaptopAccess>;
  readonly assembly: Omit<AssemblyOptions, 'qualifier'>;
}

/** The stacks of a laptop system, which stands for an account. Its endpoint deploys them. */
export class LaptopStacks implements AccountStacks {
  readonly #options: LaptopStacksOptions;

  constructor(options: LaptopStacksOptions) {
    this.#options = options;
  }

  async deploy(...stacks: readonly StackTemplate[]): Promise<Readonly<Record<string, Outputs>>> {
    const dir = writeAssembly(stacks, { ...this.#options.assembly, qualifier: 'hnb659fds' });
    try {
      return await this.deployAssembly(dir);
    } finally {
      // Functions run from files of the laptop's run, never from here.
      rmSync(dir, { recursive: true });
    }
  }

  async deployAssembly(assemblyDir: string): Promise<Readonly<Record<string, Outputs>>> {
    const { outputs } = (await this.#call({ action: 'deploy', assemblyDir })) as {
      outputs: Record<string, Outputs>;
    };
    return outputs;
  }

  async delete(...names: readonly string[]): Promise<void> {
    await this.#call({ action: 'delete', names });
  }

  async list(prefix: string): Promise<readonly ListedStack[]> {
    const { stacks } = (await this.#call({ action: 'list', prefix })) as { stacks: ListedStack[] };
    return stacks;
  }

  async #call(input: object): Promise<unknown> {
    const { endpoint, region, credentials, systemClockOffset } = await this.#options.access();
    const url = new URL('/_local/stacks', endpoint);
    const body = JSON.stringify(input);
    const signer = new SignatureV4({ service: 'latchkey-local', region, credentials, sha256: NodeSha256 });
    const { headers } = await signer.sign(
      {
        ...{ method: 'POST', protocol: url.protocol, hostname: url.hostname, port: Number(url.port), body },
        ...{ path: url.pathname, headers: { host: url.host, 'content-type': 'application/json' } },
      },
      { signingDate: new Date(Date.now() + systemClockOffset) },
    );
    const answer = await fetch(url, { method: 'POST', headers, body });
    const document = (await answer.json()) as { __type?: string; message?: string; status?: string };
    if (answer.ok) return document;
    const { __type: name = 'UnknownError', message = `status ${answer.status}`, status } = document;
    if (name === 'DeploymentFailed' || name === 'ValidationError')
      throw new DeploymentFailed(message, status);
    throw Object.assign(new Error(message), { name });
  }
}
