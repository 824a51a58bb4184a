import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PROJECT_ROOT } from './local-process';
import { RunningSystem } from './running-system';
import { copyAssembly, type StatementPlace, statementsOf } from './statements';

/** The deployments of `config/local.json`. */
export const CELLS = [
  ['staging', 'global'],
  ['staging', 'mea'],
  ['production', 'global'],
  ['production', 'mea'],
] as const;

/** The synthesized app, to be run with statements left out of its policies. */
export class Assembly {
  private readonly folder = mkdtempSync(join(tmpdir(), 'latchkey-permissions-'));
  private readonly assembly = join(this.folder, 'assembly');
  private readonly configFile = join(this.folder, 'config.json');
  private readonly sandboxPort: number;

  private constructor(sandboxPort: number) {
    this.sandboxPort = sandboxPort;
  }

  /** Its functions know where the sandbox is, so the port is the same in every run. */
  static async synthesize(): Promise<Assembly> {
    const made = new Assembly(await freePort());
    const { configFile, assembly, sandboxPort } = made;
    const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
    writeFileSync(configFile, text.replaceAll('https://127.0.0.1:8443', `https://127.0.0.1:${sandboxPort}`));
    const { status, stderr } = spawnSync(process.execPath, ['--require', 'tsx/cjs', 'bin/app.ts'], {
      cwd: PROJECT_ROOT,
      env: { ...process.env, LATCHKEY_CONFIG: configFile, CDK_OUTDIR: assembly, CDK_VALIDATION: 'false' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return made;
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The statements of a deployment; those of all deployments are alike. */
  statements(): StatementPlace[] {
    return this.statementsIn(templateOf(CELLS[0]));
  }

  statementsIn(template: string): StatementPlace[] {
    const text = readFileSync(join(this.assembly, template), 'utf8');
    return statementsOf(JSON.parse(text) as Parameters<typeof statementsOf>[0]);
  }

  /** The templates of stacks that are no deployment's. */
  otherTemplates(): string[] {
    return readdirSync(this.assembly).filter(
      (file) => file.endsWith('.template.json') && !CELLS.some((cell) => file === templateOf(cell)),
    );
  }

  /**
   * Starts a system with nothing loaded.
   * @param removed the label of a statement that each deployment, in the order of {@link CELLS}, is to be without
   */
  async startWithout(name: string, removed: string[]): Promise<RunningSystem> {
    const copy = join(this.folder, name);
    const all = this.statements();
    const without = removed.map((label, index) => {
      const place = all.find((statement) => statement.label === label);
      if (place === undefined) throw new Error(`no such statement: ${label}`);
      return { stack: stackOf(CELLS[index]!), place };
    });
    copyAssembly(this.assembly, copy, without);
    const sandboxPort = String(this.sandboxPort);
    return RunningSystem.start([
      ...['--config', this.configFile, '--assembly', copy, '--sandbox-port', sandboxPort, '--no-job'],
    ]);
  }
}

function stackOf([environment, region]: (typeof CELLS)[number]): string {
  return `latchkey-${environment}-${region}`;
}

function templateOf(cell: (typeof CELLS)[number]): string {
  return `${stackOf(cell)}.template.json`;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
