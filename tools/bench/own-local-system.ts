import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LocalSystem } from '../../local/main-job/local-system';

const ROOT = join(__dirname, '../..');

/** A laptop system started by `npm start` for this run, separate from any that is already running. */
export class OwnLocalSystem {
  readonly system: LocalSystem;
  readonly stateDir: string;
  /** `http://127.0.0.1:PORT/` */
  readonly consoleUrl: string;
  private readonly child: ChildProcess;
  private readonly folder: string;

  private constructor(child: ChildProcess, folder: string, printed: string) {
    this.child = child;
    this.folder = folder;
    this.stateDir = stateDirIn(folder);
    this.consoleUrl = /^console (\S+)$/m.exec(printed)?.[1] ?? '';
    this.system = new LocalSystem(ROOT, this.stateDir);
  }

  /**
   * Resolves once credentials are loaded and all tokens are fetched.
   * @param configuration replaces `config/local.json`
   * @throws {Error} with its output, if it does not start
   */
  static async start(configuration?: object): Promise<OwnLocalSystem> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
    const script = [join(ROOT, 'bin/start.ts'), '--state-dir', stateDirIn(folder)];
    if (configuration !== undefined) {
      const file = join(folder, 'configuration.json');
      writeFileSync(file, JSON.stringify(configuration));
      script.push('--config', file);
    }
    const child = spawn(process.execPath, ['--require', 'tsx/cjs', ...script], { cwd: ROOT });
    let printed = '';
    const read = (chunk: Buffer) => (printed += chunk.toString('utf8'));
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    const ended = new Promise<'ended'>((resolve) => child.once('exit', () => resolve('ended')));
    const ready = new Promise<'ready'>((resolve) => {
      child.stdout.on('data', () => {
        if (/^ready/m.test(printed)) resolve('ready');
      });
    });
    if ((await Promise.race([ready, ended])) === 'ended') {
      rmSync(folder, { recursive: true });
      throw new Error(`the laptop system did not start:\n${printed}`);
    }
    return new OwnLocalSystem(child, folder, printed);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGINT');
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}

const stateDirIn = (folder: string) => join(folder, 'state');
