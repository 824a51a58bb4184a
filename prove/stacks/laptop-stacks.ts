import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Outputs, type StackTemplate } from '../../probes/system';
import { callLaptop, type LaptopAccess } from '../laptop-control';
import { type AccountStacks, type ListedStack, type StackResource } from './account-stacks';
import { type AssemblyOptions, writeAssembly } from './template-assembly';

/** A stack takes some milliseconds. */
const LOOK_AGAIN_MS = 50;

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
    await this.#settled(names);
    await this.#call({ action: 'delete', names });
  }

  async list(prefix: string): Promise<readonly ListedStack[]> {
    const { stacks } = (await this.#call({ action: 'list', prefix })) as { stacks: ListedStack[] };
    return stacks;
  }

  async resources(stackName: string): Promise<readonly StackResource[]> {
    const input = { action: 'resources', names: [stackName] };
    const { resources } = (await this.#call(input)) as { resources: StackResource[] };
    return resources;
  }

  /** Waits until no operation on the stacks is in progress: one that a process began goes on after its end. */
  async #settled(names: readonly string[]): Promise<void> {
    for (;;) {
      const stacks = (await this.list('')).filter(({ name }) => names.includes(name));
      if (!stacks.some(({ status }) => status.endsWith('_IN_PROGRESS'))) return;
      await sleep(LOOK_AGAIN_MS);
    }
  }

  async #call(input: object): Promise<unknown> {
    return callLaptop(await this.#options.access(), 'stacks', input);
  }
}
