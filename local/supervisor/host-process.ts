import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type FromHost, type HostOptions } from '../host-messages';
import { lockHolder } from '../run-lock';
import { StartError } from './start-options';

/** After that the host and all it started are killed. */
const STOP_GRACE_MS = 10_000;

/** Takes what the host says. */
export interface HostOutput {
  /** A step that was done, with how long it took. */
  report: (text: string, ms?: number) => void;
  /** A log line of a function. */
  log: (line: string) => void;
}

/** The host program with all that it starts: a process group of its own, so that nothing of it can be left running. */
export class HostProcess {
  /** Rejects when the host fails or ends without having been told to. */
  readonly lost: Promise<never>;
  /** Resolves with the console's address, in a run that has one. */
  readonly up: Promise<string | undefined>;
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private readonly stateDir: string;
  private isStopping = false;

  /** @param hostProgram the built file of the host */
  constructor(hostProgram: string, options: HostOptions & { stateDir: string }, { report, log }: HostOutput) {
    this.stateDir = resolve(options.projectRoot, options.stateDir);
    // A terminal's Ctrl-C goes to a whole process group, and only this process is to act on it.
    this.child = fork(hostProgram, [], {
      execArgv: [],
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.exited = new Promise((resolve) => this.child.once('exit', () => resolve()));
    let setUp: (consoleUrl: string | undefined) => void;
    this.up = new Promise((resolve) => (setUp = resolve));
    this.lost = new Promise((_, reject) => {
      this.child.on('message', (message: FromHost) => {
        if (message.type === 'step') report(message.text, message.ms);
        if (message.type === 'log') log(`${message.functionName}  ${message.line}`);
        if (message.type === 'warning') report(`warning: ${message.text}`);
        if (message.type === 'up') setUp(message.consoleUrl);
        if (message.type === 'failed') reject(new StartError(message.message));
      });
      this.child.once('exit', (code, signal) => {
        if (!this.isStopping)
          reject(new StartError(`the local system ended unexpectedly (${signal ?? `exit ${code}`})`));
      });
    });
    this.lost.catch(() => undefined);
    this.child.send({ type: 'start', options });
  }

  /** Ends the host and everything it started. */
  async stop(): Promise<void> {
    this.isStopping = true;
    if (this.child.connected) this.child.send({ type: 'stop' }, () => undefined);
    const timer = setTimeout(() => this.kill(), STOP_GRACE_MS);
    await this.exited;
    clearTimeout(timer);
    this.kill();
    this.removeRemains();
  }

  /** What a host that was killed could not remove: above all local.json, which has the administrator's key. */
  private removeRemains(): void {
    const file = (name: string) => join(this.stateDir, name);
    // Only if the lock is its own: another run may be using the directory.
    if (lockHolder(file('lock')) !== this.child.pid) return;
    for (const name of ['local.json', 'ca.pem', 'config.json', 'cdk.out', 'lock']) {
      rmSync(file(name), { recursive: true, force: true });
    }
    if (readdirSync(this.stateDir).length === 0) rmdirSync(this.stateDir);
  }

  kill(): void {
    try {
      process.kill(-this.child.pid!, 'SIGKILL');
    } catch {
      // The group is gone, which is what was wanted.
    }
  }
}
