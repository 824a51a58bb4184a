import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type FromHost, type HostOptions } from '../host-messages';
import { lockHolder } from '../run-lock';
import { StartError } from './start-options';

/** How long the host gets to stop before it and its processes are killed. */
const STOP_GRACE_MS = 10_000;

/** Receives what the host reports. */
export interface HostOutput {
  /** A completed step and its duration. */
  report: (text: string, ms?: number) => void;
  /** A function's log line. */
  log: (line: string) => void;
}

/** The host program and every process it starts, as one process group so that none is left running. */
export class HostProcess {
  /** Rejects if the host fails or exits before {@link stop} is called. */
  readonly lost: Promise<never>;
  /** Resolves once the host is up, with the console's URL if the run has a console. */
  readonly up: Promise<string | undefined>;
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private readonly stateDir: string;
  private isStopping = false;

  /** @param hostProgram path of the built host program */
  constructor(hostProgram: string, options: HostOptions & { stateDir: string }, { report, log }: HostOutput) {
    this.stateDir = resolve(options.projectRoot, options.stateDir);
    // Ctrl-C signals a whole process group. `detached` keeps the host out of it: this process decides when to stop.
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
          reject(new StartError(`the local system stopped unexpectedly (${signal ?? `exit ${code}`})`));
      });
    });
    this.lost.catch(() => undefined);
    this.child.send({ type: 'start', options });
  }

  /** Stops the host and every process it started. */
  async stop(): Promise<void> {
    this.isStopping = true;
    if (this.child.connected) this.child.send({ type: 'stop' }, () => undefined);
    const timer = setTimeout(() => this.kill(), STOP_GRACE_MS);
    await this.exited;
    clearTimeout(timer);
    this.kill();
    this.removeRemains();
  }

  /** Removes what a killed host could not, above all local.json, which holds the administrator's key. */
  private removeRemains(): void {
    const file = (name: string) => join(this.stateDir, name);
    // Another run may be using the directory by now.
    if (lockHolder(file('lock')) !== this.child.pid) return;
    for (const name of ['local.json', 'ca.pem', 'config.json', 'cdk.out', 'inline-code', 'authorities']) {
      rmSync(file(name), { recursive: true, force: true });
    }
    // With other files beside it, the lock stays, so that the next run may still use the directory.
    if (readdirSync(this.stateDir).length === 1) rmSync(this.stateDir, { recursive: true });
  }

  kill(): void {
    try {
      process.kill(-this.child.pid!, 'SIGKILL');
    } catch {
      // The group has already exited.
    }
  }
}
