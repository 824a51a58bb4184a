import { PutSecretValueCommand, RotateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { randomUUID } from 'node:crypto';

import { putApiKey, putCredentials } from '../../../../cli/credentials/put-credential';
import { doctor } from '../../../../cli/doctor-command';
import { buildProgram } from '../../../../cli/program';
import { status } from '../../../../cli/status-command';
import { CANDIDATE_LABEL } from '../../../../core/secrets/credential-labels';
import { type CredentialKind, credentialSecretName } from '../../../../core/secrets/secret-names';
import { tenantKeyOf } from '../../../../core/tokens/token-key';
import { FakeTerminal } from '../../../cli/support/fake-terminal';
import { type Command, runCommand, SESSION } from '../run-command';
import { type Replay } from './replay';

/** The operator of a replayed deployment, with the commands that the alarms advise and manual steps. */
export class Operator {
  readonly #replay: Replay;

  constructor(replay: Replay) {
    this.#replay = replay;
  }

  /**
   * Writes a value into a secret by hand, which makes it current.
   * @param value @default a working credential
   */
  paste(
    tenantId: string,
    kind: CredentialKind,
    value = this.#replay.platform.issueValue(tenantId, kind),
  ): void {
    this.#replay.secrets.put(this.#secretName(tenantId, kind), value);
  }

  /** Runs `latchkey credentials put` or `api-key put` with another working credential. */
  put(tenant: string, kind: CredentialKind): Promise<string> {
    const input = this.#replay.platform.issueValue(tenant, kind);
    return this.#run(kind === 'api-key' ? putApiKey : putCredentials, { tenant }, input);
  }

  /** What `latchkey status` or `doctor` prints, of all tenants or of one. */
  async read(command: 'status' | 'doctor', tenant?: string): Promise<string> {
    const terminal = new FakeTerminal();
    const flags = { ...(tenant !== undefined && { tenant }) };
    await this.#run(command === 'status' ? status : doctor, flags, '', terminal);
    return terminal.results[0]!.text;
  }

  /**
   * Runs a command as printed. It reads what it asks for: what the platform issues to the tenant, or an administrator's session.
   * @returns how it ended, and what it printed
   */
  async type(printed: string): Promise<{ end: string; text: string }> {
    const [program, ...words] = printed.split(' ');
    expect(program).toBe('latchkey');
    const terminal = new FakeTerminal({ input: this.#inputOf(printed) });
    let end = 'not run';
    const commander = buildProgram(
      async (run, flags) =>
        void (end = await this.#run(run as Command<typeof flags>, { ...flags, yes: true }, '', terminal)),
      () => undefined,
    );
    await commander.parseAsync(words, { from: 'user' });
    return { end, text: terminal.results[0]?.text ?? '' };
  }

  /**
   * Does what `status` advises until it advises nothing, with the commands as printed.
   * @throws if a command fails or is advised again
   */
  async followAdvice(): Promise<void> {
    const done: string[] = [];
    let [command] = printedCommands(await this.read('status'));
    while (command !== undefined) {
      expect(done).not.toContain(command);
      done.push(command);
      const { end, text } = await this.type(command);
      if (!isLook(command)) expect({ command, end, text }).toMatchObject({ end: 'done' });
      [command] = printedCommands(isLook(command) ? text : await this.read('status'));
    }
  }

  #inputOf(printed: string): string {
    const { platform } = this.#replay;
    const [, tenantId = ''] = / --tenant (\S+)/.exec(printed) ?? [];
    if (printed.startsWith('latchkey credentials put '))
      return platform.issueValue(tenantId, 'client-credentials');
    if (printed.startsWith('latchkey api-key put ')) return platform.issueValue(tenantId, 'api-key');
    return SESSION;
  }

  async stage(tenantId: string, kind: CredentialKind, SecretString: string): Promise<void> {
    await this.#replay.outside.send(
      new PutSecretValueCommand({
        SecretId: this.#secretName(tenantId, kind),
        ClientRequestToken: randomUUID(),
        SecretString,
        VersionStages: [CANDIDATE_LABEL],
      }),
    );
  }

  /** Puts the candidate's label on the current version by hand. */
  labelCurrent(tenantId: string, kind: CredentialKind): void {
    const current = this.#replay.secrets.versionWith(this.#secretName(tenantId, kind), 'AWSCURRENT')!;
    current.stages.add(CANDIDATE_LABEL);
  }

  async rotate(tenantId: string, kind: CredentialKind): Promise<void> {
    const SecretId = this.#secretName(tenantId, kind);
    await this.#replay.outside.send(new RotateSecretCommand({ SecretId, ClientRequestToken: randomUUID() }));
  }

  async #run<Flags>(
    command: Command<Flags>,
    flags: Flags,
    input = '',
    terminal = new FakeTerminal({ input }),
  ): Promise<string> {
    return runCommand(this.#replay, command, flags, terminal);
  }

  #secretName(tenantId: string, kind: CredentialKind): string {
    const { deployment } = this.#replay;
    return credentialSecretName(deployment.prefix, tenantKeyOf(deployment, tenantId), kind);
  }
}

function printedCommands(text: string): string[] {
  return [...text.matchAll(/^ {4}→ (latchkey .*)$/gm)].map(([, command]) => command!);
}

function isLook(command: string): boolean {
  return /^latchkey (status|doctor)\b/.test(command) && !command.includes('--fix');
}
