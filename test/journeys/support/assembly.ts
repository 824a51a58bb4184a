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

/** What tests change of `config/local.json`. */
export interface LocalConfiguration {
  endpoints: Record<string, Record<string, { webhooksTokenBaseUrl: string }>>;
  deployments: { environment: string; platformRegion: string; restore: { available: boolean } }[];
}

/** The synthesized app, to be run with statements left out of its policies. */
export class Assembly {
  private readonly folder = mkdtempSync(join(tmpdir(), 'latchkey-permissions-'));
  private readonly assembly = join(this.folder, 'assembly');
  private readonly configFile = join(this.folder, 'config.json');
  private readonly sandboxPort: number;

  private constructor(sandboxPort: number) {
    this.sandboxPort = sandboxPort;
  }

  /**
   * Its functions know where the sandbox is, so the port is the same in every run.
   * @param change of `config/local.json` @default none
   */
  static async synthesize(change: (configuration: LocalConfiguration) => void = () => undefined) {
    const made = new Assembly(await freePort());
    const { configFile, assembly, sandboxPort } = made;
    const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
    const configuration = JSON.parse(
      text.replaceAll('https://127.0.0.1:8443', `https://127.0.0.1:${sandboxPort}`),
    ) as LocalConfiguration;
    change(configuration);
    writeFileSync(configFile, JSON.stringify(configuration));
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

  /** All templates, by the names of their stacks. */
  templates<Template>(): Map<string, Template> {
    const files = readdirSync(this.assembly).filter((file) => file.endsWith('.template.json'));
    return new Map(
      files.map((file) => [
        file.replace('.template.json', ''),
        JSON.parse(readFileSync(join(this.assembly, file), 'utf8')) as Template,
      ]),
    );
  }

  /** The templates of stacks that are no deployment's. */
  otherTemplates(): string[] {
    return readdirSync(this.assembly).filter(
      (file) => file.endsWith('.template.json') && !CELLS.some((cell) => file === templateOf(cell)),
    );
  }

  /**
   * Starts a system with nothing loaded.
   * @param removed the label of a statement that each deployment, in the order of {@link CELLS}, is to be without. One
   *   that is about everything is left out of all of them: each would do for the operator of all.
   */
  async startWithout(name: string, removed: string[]): Promise<RunningSystem> {
    const copy = join(this.folder, name);
    const all = this.statements();
    const without = removed.flatMap((label, index) => {
      const place = all.find((statement) => statement.label === label);
      if (place === undefined) throw new Error(`no such statement: ${label}`);
      const cells = label.endsWith(' on everything') ? CELLS : [CELLS[index]!];
      return cells.map((cell) => ({ stack: stackOf(cell), place }));
    });
    // From the last one on: each that goes moves those after it.
    without.sort((a, b) => b.place.index - a.place.index);
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
