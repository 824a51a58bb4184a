import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type RestoreFlags, restore } from '../../../../cli/restore/restore-command';
import { type Result } from '../../../../cli/restore/results';
import { type TokenKey } from '../../../../core/tokens/token-key';
import { FakeTerminal } from '../../support/fake-terminal';
import { DEPLOYMENT_KEY, OperatedSystem, tenantOf } from '../../support/operated-system';
import { newFolder } from '../../../support/new-folder';
import { FakeRestoreApi } from './fake-restore-api';

export const TENANT_ID = 'tenant-1';
const KEY: TokenKey = { ...DEPLOYMENT_KEY, tenantId: TENANT_ID, interface: 'content', scope: 'api/write' };

/** Ids of `count` contents. */
export function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `id-${n}`);
}

/** A system with a restore API, and a folder for lists and results. */
export class Restoring {
  readonly folder = newFolder();
  readonly system = new OperatedSystem();
  readonly api = new FakeRestoreApi();
  /** The stored token has this number; a forced renewal raises it. */
  tokenNumber = 1;
  /** When the stored token expires, in ms from the start. */
  tokenEndsMs = 3_600_000;
  terminal = new FakeTerminal();

  constructor() {
    const { system } = this;
    const startMs = system.nowMs;
    system.tenants = [tenantOf(TENANT_ID, ['api/read', 'api/write'])];
    system.sendRequest = this.api.send;
    system.functions['token-refresh'] = ({ rejectedTokenSha256 }) => {
      if (rejectedTokenSha256 !== undefined) this.tokenNumber += 1;
      return { ok: true, arn: 'arn', versionId: 'v', expiresAt: '', refreshed: false };
    };
    system.secretsManager.send = async () => ({
      SecretString: JSON.stringify({
        ...KEY,
        accessToken: this.token,
        tokenType: 'Bearer',
        issuedAt: new Date(startMs).toISOString(),
        expiresAt: new Date(startMs + this.tokenEndsMs).toISOString(),
        credentialVersionId: 'current',
      }),
    });
  }

  get token(): string {
    return `canary-token-${this.tokenNumber}`;
  }

  /** The path of the list, or of a file next to it. */
  path(suffix = ''): string {
    return join(this.folder, `ids.txt${suffix}`);
  }

  write(lines: readonly string[], suffix = ''): void {
    writeFileSync(this.path(suffix), lines.map((line) => `${line}\n`).join(''));
  }

  /** Runs the command at a new terminal. */
  run(flags: RestoreFlags, terminal = new FakeTerminal()) {
    this.terminal = terminal;
    return restore(this.system.context(terminal), { collaborationId: 'team-1', ...flags });
  }

  /** Runs it with the list. */
  runMany(flags: RestoreFlags = {}, terminal?: FakeTerminal) {
    return this.run({ from: this.path(), parallel: 1, ...flags }, terminal);
  }

  document<T = Record<string, unknown>>(): T {
    return this.terminal.results[0]!.document as T;
  }

  /** The contents of all requests, in order. */
  sentIds(): string[] {
    return this.api.requests.map(({ contentId }) => contentId);
  }

  /** All lines of the results. */
  lines(): unknown[] {
    const lines = readFileSync(this.path('.results.jsonl'), 'utf8').split('\n');
    expect(lines.pop()).toBe('');
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  /** The last line of each content, in the order of the first ones. */
  results(): Result[] {
    const [, ...lines] = this.lines() as Result[];
    return [...new Map(lines.map((line) => [line.contentId, line])).values()];
  }

  /** The outcome of each content in the results. */
  outcomes(): Record<string, string> {
    return Object.fromEntries(this.results().map(({ contentId, outcome }) => [contentId, outcome]));
  }
}
