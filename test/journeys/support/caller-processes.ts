import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

import { type TokenKey } from '../../../core/tokens/public-keys';
import { PROJECT_ROOT } from './local-process';
import { type RunningSystem } from './running-system';
import { type CallerOrder, type CallerReport } from './token-caller';

type ReportOf<Type extends CallerReport['type']> = Extract<CallerReport, { type: Type }>;

/** Several services, each a process with its own client library, which act at the same time. */
export class CallerProcesses {
  private readonly children: ChildProcess[];
  private readonly folder: string;

  private constructor(children: ChildProcess[], folder: string) {
    this.children = children;
    this.folder = folder;
  }

  /** Starts the processes, and waits until each has loaded its modules. */
  static async start(system: RunningSystem, count: number, key: TokenKey): Promise<CallerProcesses> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-callers-'));
    const program = join(folder, 'token-caller.js');
    // Bundled, as services usually are: loading file by file would be slow in many processes.
    buildSync({
      entryPoints: [join(__dirname, 'token-caller.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      logLevel: 'error',
    });
    const children = Array.from({ length: count }, () =>
      fork(program, {
        execArgv: [],
        env: { ...process.env, NODE_EXTRA_CA_CERTS: join(PROJECT_ROOT, system.run.caFile) },
      }),
    );
    const processes = new CallerProcesses(children, folder);
    await processes.tell({ type: 'begin', localJson: join(system.process.stateDir, 'local.json'), key });
    return processes;
  }

  /** Each process sends `perSecEach` requests a second until {@link endLoad}. */
  async beginLoad(perSecEach: number, url: string): Promise<void> {
    await this.tell({ type: 'begin load', perSec: perSecEach, url });
  }

  endLoad(): Promise<ReportOf<'loaded'>[]> {
    return this.tell({ type: 'end load' });
  }

  /** Stops all processes. */
  async stop(): Promise<void> {
    await Promise.all(
      this.children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }),
    );
    rmSync(this.folder, { recursive: true });
  }

  private async tell<Report extends CallerReport>(order: CallerOrder): Promise<Report[]> {
    return Promise.all(this.children.map((child) => tellOne<Report>(child, order)));
  }
}

async function tellOne<Report extends CallerReport>(
  child: ChildProcess,
  order: CallerOrder,
): Promise<Report> {
  const reported = once(child, 'message');
  child.send(order);
  return (await reported)[0] as Report;
}
