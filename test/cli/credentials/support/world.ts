import { ListSecretVersionIdsCommand } from '@aws-sdk/client-secrets-manager';

import { type CommandContext } from '../../../../cli/command';
import { CommandError, interruption } from '../../../../cli/command-error';
import { type ExitCode } from '../../../../cli/exit-codes';
import { type System } from '../../../../cli/system';
import { tenantsIn } from '../../../../cli/tenants-in';
import { type TokenType } from '../../../../core/deployment/platform';
import { type CredentialKind } from '../../../../core/secrets/secret-names';
import { type HttpsAnswer, type HttpsRequest } from '../../../../lambdas/shared/adapters/https-client';
import { clientOf, SimulatedSecretsManager } from '../../../support/aws/simulated-secrets-manager';
import { findCanaries } from '../../../support/canaries';
import { deploymentOf } from '../../../support/lambdas/token-functions';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';
import { FakeTerminal, type FakeTerminalOptions } from '../../support/fake-terminal';
import { OperatedSystem } from '../../support/operated-system';
import { RotatingSecret } from './rotating-secret';

export const TENANT = 'eu-west-2_Acme';
const TOKENS: TokenType[] = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
];
const GRANTED = JSON.stringify({
  access_token: 'tok-canary-0123456',
  expires_in: 3600,
  token_type: 'Bearer',
});

const ENSURED = { ok: true, arn: 'arn', versionId: 'v', expiresAt: '2026-01-31T13:00:00.000Z' };

/** How a command ended. */
export type Ending = { exit: ExitCode; error?: CommandError };

/** One tenant, its two secrets, the functions and the platform, with a clock that only waits advance. */
export class World {
  terminal: FakeTerminal;
  nowMs = NOON_MS;
  readonly secretsManager = new SimulatedSecretsManager(
    { nowMs: () => this.nowMs },
    {
      request: ({ arn }, { versionId }) =>
        [this.clientCredentials, this.apiKey].find(({ secret }) => secret.arn === arn)!.rotate(versionId),
      cancel: () => undefined,
      valuePut: () => undefined,
    },
  );
  /** Lists of versions come in pages of one, because AWS may end a page anywhere. */
  readonly client = clientOf((command) =>
    this.secretsManager.send(
      command instanceof ListSecretVersionIdsCommand
        ? new ListSecretVersionIdsCommand({ ...command.input, MaxResults: 1 })
        : command,
    ),
  );
  readonly clientCredentials = this.#addSecret('client-credentials');
  readonly apiKey = this.#addSecret('api-key');
  /** Events that the functions received. */
  readonly invoked: { functionName: string; isAsync: boolean; event: Record<string, unknown> }[] = [];
  /** What rotate-credentials says about the tenant's API key. */
  proof: object = { outcome: 'proven' };
  /** The answer of token-refresh to an event. */
  ensureAnswerTo: (event: Record<string, unknown>) => object = () => ENSURED;
  readonly requests: HttpsRequest[] = [];
  /** The platform: token endpoint, content interface and tenant service. */
  platform: (request: HttpsRequest) => HttpsAnswer | Promise<HttpsAnswer> = () => answer(200, GRANTED);
  apiKeyOption: false | undefined;
  tenantServiceUrl: string | undefined = 'https://tenants.platform.example';
  #sleeps = 0;
  /** Called while the command waits. */
  onSleep: (sleeps: number) => void = () => {};

  constructor(options: FakeTerminalOptions = {}) {
    this.terminal = new FakeTerminal(options);
  }

  /** Runs a command in this world. */
  async run<Flags>(
    command: (context: CommandContext, flags: Flags) => Promise<ExitCode>,
    flags: Flags,
    terminal = this.terminal,
  ): Promise<Ending> {
    try {
      return { exit: await command(this.context(terminal), flags) };
    } catch (error) {
      if (error instanceof CommandError) return { exit: error.exitCode, error };
      throw error;
    }
  }

  context(terminal = this.terminal): CommandContext {
    return {
      terminal,
      system: async () => this.#system(),
      env: {},
      nowMs: () => this.nowMs,
      sleep: async (ms) => {
        this.onSleep((this.#sleeps += 1));
        if (terminal.interrupted.aborted) throw interruption();
        this.nowMs += ms;
        for (const secret of [this.clientCredentials, this.apiKey]) secret.advance();
      },
    };
  }

  #addSecret(kind: CredentialKind): RotatingSecret {
    return new RotatingSecret(
      this.secretsManager.create(`latchkey/staging/mea/${TENANT}/${kind}`),
      () => this.nowMs,
    );
  }

  #system(): System {
    const base = 'https://platform.example';
    const { tenantServiceUrl } = this;
    const deployment = deploymentOf([TENANT], {
      platform: {
        contentBaseUrl: `${base}/content`,
        contentTokenBaseUrl: `${base}/auth`,
        ...(tenantServiceUrl !== undefined && { tenantServiceUrl }),
      },
      tenants: [{ tenantId: TENANT, tokens: TOKENS, apiKey: this.apiKeyOption, adopted: {} }],
    });
    const operated = new OperatedSystem();
    operated.more = {
      issuing: deployment,
      tenants: tenantsIn(deployment),
      secretsManager: this.client,
      lambda: { send: (command: InvokeLike) => this.#invoke(command) },
      functionArn: async (leaf: string) =>
        `arn:aws:lambda:eu-west-1:111111111111:function:${leaf.replace(/-arn$/, '')}`,
    };
    operated.sendRequest = async (request) => {
      this.requests.push(request);
      return this.platform(request);
    };
    return operated.system();
  }

  async #invoke({ input }: InvokeLike) {
    const event = JSON.parse(Buffer.from(input.Payload).toString()) as Record<string, unknown>;
    const functionName = input.FunctionName.split(':')[6]!;
    this.invoked.push({ functionName, isAsync: input.InvocationType === 'Event', event });
    const proved = { tenants: [{ tenantId: TENANT, ...this.proof }] };
    const answer = functionName === 'rotate-credentials' ? proved : this.ensureAnswerTo(event);
    return { Payload: Buffer.from(JSON.stringify(answer)) };
  }
}

interface InvokeLike {
  input: { FunctionName: string; InvocationType?: string; Payload: Uint8Array };
}

/** Expects a command to fail. @returns its failure */
export async function expectFailure(ending: Promise<Ending>, failure: object): Promise<CommandError> {
  const { error } = await ending;
  expect(error).toMatchObject(failure);
  return error!;
}

/** Expects a command to succeed. */
export async function expectDone(ending: Promise<Ending>): Promise<void> {
  expect((await ending).exit).toBe(0);
}

/** The planted secrets that are visible in the output, in the command's error, or in events of functions. */
export function leaks(world: World, { error }: Ending, secrets: Record<string, string>): unknown[] {
  const canaries = Object.entries(secrets).map(([name, value]) => ({ name, value }));
  const texts = error === undefined ? [] : [error.message, error.advice ?? '', error.code, error.stack ?? ''];
  return findCanaries(canaries, [
    { place: 'terminal', text: world.terminal.visibleText() },
    { place: 'error', text: texts.join('\n') },
    { place: 'events of functions', text: JSON.stringify(world.invoked) },
  ]);
}

/** An answer of the platform. */
export function answer(status: number, body = '{}'): HttpsAnswer {
  return { status, headers: {}, body };
}
