import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { CloudAssembly } from 'aws-cdk-lib/cx-api';

import { installPackage, tarball } from '../installed-package';
import { Synthesis } from '../lib/synthesis';
import { IS_FULL } from '../test-size';

const ROOT = join(__dirname, '../../..');

// In full size, each example installs its packages from the registry.
jest.setTimeout(IS_FULL ? 600_000 : 120_000);

type Dependencies = Record<string, string>;
interface PackageDocument {
  dependencies?: Dependencies;
  devDependencies?: Dependencies;
  bin?: string | Record<string, string>;
}

export interface ProgramRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

export class RunningProgram {
  readonly ended: Promise<ProgramRun>;
  private readonly child: ChildProcess;
  private readonly texts = { stdout: '', stderr: '' };

  constructor(child: ChildProcess) {
    this.child = child;
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]!.setEncoding('utf8').on('data', (chunk: string) => {
        this.texts[name] += chunk;
        child.emit('printed');
      });
    }
    this.ended = once(child, 'close').then(() => ({ status: child.exitCode, ...this.texts }));
  }

  get output(): string {
    return this.texts.stdout + this.texts.stderr;
  }

  /** Resolves with the match once the standard output contains it. @throws {Error} if the program ends first */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.texts.stdout);
      if (match !== null) return match;
      const ended = await Promise.race([once(this.child, 'printed').then(() => undefined), this.ended]);
      if (ended !== undefined) throw new Error(`ended without printing ${pattern}:\n${this.output}`);
    }
  }

  async end(): Promise<void> {
    this.child.kill();
    await this.ended;
  }
}

/**
 * A copy of an example outside the repository, with the packages that it declares: `latchkey` from the released tarball;
 * the others from this project, or with `npm run test:full -- examples` from the registry.
 */
export class InstalledExample {
  readonly folder = mkdtempSync(join(tmpdir(), 'latchkey-example-'));
  private readonly started: RunningProgram[] = [];

  /** @param name its folder in `examples/` */
  constructor(name: string) {
    cpSync(join(ROOT, 'examples', name), this.folder, { recursive: true });
    if (!existsSync(join(this.folder, 'package.json'))) return;
    if (IS_FULL) {
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball()], {
        cwd: this.folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    } else this.link();
  }

  async node(args: string[], env: Record<string, string> = {}): Promise<ProgramRun> {
    return this.start(process.execPath, args, env).ended;
  }

  /**
   * Compiles or checks with the example's own tsconfig.json. Fails the test with the compiler's messages. CDK apps take long, so
   * they are checked against the package in full size only; `npm run build` checks them against the sources.
   */
  async compile(...args: string[]): Promise<void> {
    if (existsSync(join(this.folder, 'cdk.json')) && !IS_FULL) return;
    const run = await this.node(['node_modules/typescript/bin/tsc', ...args]);
    expect(run).toEqual({ status: 0, stdout: '', stderr: '' });
  }

  /** Compiles and synthesizes it. Fails the test with the messages of either. */
  async synthesis(): Promise<Synthesis> {
    await this.compile();
    return new Synthesis((await this.synthesize()).assembly);
  }

  /** Synthesizes with the app of cdk.json. Fails the test with its messages. */
  async synthesize(env: Record<string, string> = {}): Promise<ProgramRun & { assembly: CloudAssembly }> {
    const { app } = documentIn(this.folder, 'cdk.json') as { app: string };
    const outdir = join(this.folder, 'cdk.out');
    const [, ...args] = app.split(' ');
    const run = await this.node(args, {
      CDK_OUTDIR: outdir,
      CDK_VALIDATION: 'false',
      ...env,
    });
    if (run.status !== 0) throw new Error(run.stderr);
    return { ...run, assembly: new CloudAssembly(outdir) };
  }

  /** Starts a program in the folder, with nothing of the test's environment but the path. */
  start(program: string, args: string[], env: Record<string, string>): RunningProgram {
    const running = new RunningProgram(
      spawn(program, args, {
        cwd: this.folder,
        env: { PATH: process.env.PATH, HOME: this.folder, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    this.started.push(running);
    return running;
  }

  /** Ends what still runs, and removes the folder. */
  async remove(): Promise<void> {
    await Promise.all(this.started.map((each) => each.end()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Links what `npm install` would install at the top level: what the example and the package declare, and no more. */
  private link(): void {
    const own = documentIn(this.folder) as PackageDocument;
    const modules = join(this.folder, 'node_modules');
    const latchkey = installPackage(this.folder, []);
    writeFileSync(join(this.folder, 'package-lock.json'), '{}');
    const { dependencies } = documentIn(latchkey) as PackageDocument;
    for (const name of Object.keys({ ...own.dependencies, ...own.devDependencies, ...dependencies })) {
      if (name === 'latchkey') continue;
      const installed = join(ROOT, 'node_modules', name);
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(installed, join(modules, name));
      for (const [command, file] of Object.entries(commandsOf(name, documentIn(installed)))) {
        symlinkSync(join(installed, file), join(modules, '.bin', command));
      }
    }
  }
}

function documentIn(folder: string, file = 'package.json'): object {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as object;
}

/** The commands of a package: file by name. A single one has the package's name. */
function commandsOf(name: string, { bin = {} }: PackageDocument): Record<string, string> {
  return typeof bin === 'string' ? { [name.replace(/^@.*\//, '')]: bin } : bin;
}
