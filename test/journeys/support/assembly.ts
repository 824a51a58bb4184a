import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RunningSystem } from './running-system';
import { copyAssembly, denialWithout, type StatementPlace, statementsOf } from './statements';
import { sharedApp } from './synthesized-app';

/** The deployments of `config/local.json`. */
export const DEPLOYMENT_KEYS = [
  ['staging', 'global'],
  ['staging', 'mea'],
  ['production', 'global'],
  ['production', 'mea'],
] as const;

/** The synthesized app, which can run with statements removed from its policies. */
export class Assembly {
  private readonly app: string;
  private readonly folder: string;

  private constructor(app: string, folder: string) {
    this.app = app;
    this.folder = folder;
  }

  /** The app that all journeys share. */
  static async synthesize(): Promise<Assembly> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-assembly-'));
    return new Assembly(await sharedApp(), folder);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The statements of one deployment; all deployments have the same. */
  statements(): StatementPlace[] {
    return this.statementsIn(templateOf(DEPLOYMENT_KEYS[0]));
  }

  statementsIn(template: string): StatementPlace[] {
    const text = readFileSync(join(this.app, template), 'utf8');
    return statementsOf(JSON.parse(text) as Parameters<typeof statementsOf>[0]);
  }

  /** The templates of stacks that belong to no deployment. */
  otherTemplates(): string[] {
    return readdirSync(this.app).filter(
      (file) =>
        file.endsWith('.template.json') &&
        !DEPLOYMENT_KEYS.some((deploymentKey) => file === templateOf(deploymentKey)),
    );
  }

  /** Starts the first deployment alone, without credentials. */
  startWhole(): Promise<RunningSystem> {
    return RunningSystem.startPart([stackOf(DEPLOYMENT_KEYS[0])], ['--no-job']);
  }

  /**
   * Starts a system without credentials.
   * @param removed labels of statements, by deployment. A statement on everything is removed from all deployments, since each
   *   one would permit the operator everything.
   */
  async startWithout(name: string, removed: string[][]): Promise<RunningSystem> {
    const copy = join(this.folder, name);
    const without = removed.flatMap((labels, index) =>
      labels.flatMap((label) => {
        const place = this.statement(label);
        const deploymentKeys = place.subject === 'everything' ? DEPLOYMENT_KEYS : [DEPLOYMENT_KEYS[index]!];
        return deploymentKeys.map((deploymentKey) => ({ stack: stackOf(deploymentKey), place }));
      }),
    );
    // Backward, since removing a statement moves those after it.
    without.sort((a, b) => b.place.index - a.place.index);
    copyAssembly(this.app, copy, without);
    return RunningSystem.start(['--assembly', copy, '--no-job']);
  }

  /** What a denial says that comes of a missing statement. */
  denialWithout(label: string): RegExp {
    return denialWithout(this.statement(label));
  }

  private statement(label: string): StatementPlace {
    const place = this.statements().find((statement) => statement.label === label);
    if (place === undefined) throw new Error(`no such statement: ${label}`);
    return place;
  }
}

function stackOf([environment, region]: (typeof DEPLOYMENT_KEYS)[number]): string {
  return `latchkey-${environment}-${region}`;
}

function templateOf(deploymentKey: (typeof DEPLOYMENT_KEYS)[number]): string {
  return `${stackOf(deploymentKey)}.template.json`;
}
