import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalRun } from '../../../core/deployment/local-run';
import { upToDate } from '../../../tools/builds/programs.cjs';
import { type FromHost, type HostOptions } from '../../../laptop/host-messages';

export const PROJECT_ROOT = join(__dirname, 'project');
const CONFIGURATION = {
  contentBaseUrl: 'https://127.0.0.1:8443/staging/mea/rest/v1',
  local: true,
  deployments: [
    {
      environment: 'staging',
      platformRegion: 'mea',
      restore: { available: true },
      tenants: [{ tenantId: 'tenant-1' }],
    },
  ],
};

/** The host program in its own process, running the small project in `project/`. End it after each test. */
export class HostProgram {
  readonly dir = mkdtempSync(join(tmpdir(), 'local-run-'));
  readonly stateDir = join(this.dir, 'state');
  readonly messages: FromHost[] = [];
  readonly process: ChildProcess;
  readonly exitCode: Promise<number | null>;
  private readonly listeners = new Set<() => void>();

  constructor(configuration: object = {}, options: Partial<HostOptions> = {}) {
    const configFile = join(this.dir, 'config.json');
    writeFileSync(configFile, JSON.stringify({ ...CONFIGURATION, ...configuration }));
    this.process = fork(upToDate('host'), [], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.exitCode = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.on('message', (message: FromHost) => {
      this.messages.push(message);
      this.listeners.forEach((look) => look());
    });
    this.process.send({
      type: 'start',
      options: {
        projectRoot: PROJECT_ROOT,
        sandboxProgram: upToDate('sandbox'),
        stateDir: this.stateDir,
        configFile,
        ...options,
      },
    });
  }

  /** The first past or future message that `wanted` accepts; rejects if the program exits without it. */
  message<T extends FromHost>(wanted: (message: FromHost) => message is T): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.messages.find(wanted);
        if (found) resolve(found);
      };
      this.listeners.add(look);
      look();
      void this.exitCode.then(() => reject(new Error(`the host ended: ${JSON.stringify(this.messages)}`)));
    });
  }

  up(): Promise<unknown> {
    return this.message((message): message is FromHost => message.type === 'up');
  }

  /** The pid that the sweep function prints. */
  async sweep(): Promise<{ pid: number }> {
    const isSweep = (message: FromHost): message is FromHost & { type: 'log' } =>
      message.type === 'log' && /pid \d+/.test(message.line);
    const { line } = await this.message(isSweep);
    return { pid: Number(/pid (\d+)/.exec(line)![1]) };
  }

  localRun(): LocalRun {
    return JSON.parse(readFileSync(join(this.stateDir, 'local.json'), 'utf8')) as LocalRun;
  }

  /** Kills the program if it is running, and removes its files. */
  async end(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exitCode;
    rmSync(this.dir, { recursive: true, force: true });
  }
}
