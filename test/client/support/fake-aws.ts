import { type GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { type InvokeCommand, TooManyRequestsException } from '@aws-sdk/client-lambda';

import { type TokenSourceOptions } from '../../../client';
import { tokenSecretName } from '../../../core/secrets/secret-names';
import { type TokenKey } from '../../../core/tokens/published-keys';
import { type EnsureAnswer, type EnsureEvent } from '../../../core/tokens/token-refresh';
import { ClientClock } from './client-clock';

export const KEY: TokenKey = {
  environment: 'staging',
  platformRegion: 'mea',
  tenantId: 'eu-west-2_AbcdEfghI',
  interface: 'content',
  scope: 'api/write',
};
export const MINUTE_MS = 60_000;
export const REFRESH_ARN =
  'arn:aws:lambda:eu-west-2:111122223333:function:latchkey-staging-mea-token-refresh';
/** Where the secrets are. */
export const SECRETS = { account: '111122223333', region: 'eu-west-2' };
export const THROTTLED = new TooManyRequestsException({ message: 'Rate Exceeded.', $metadata: {} });

/** A fake Secrets Manager with the tokens of one deployment, and its token-refresh. */
export class FakeAws {
  /** Ids of the secrets that were read. */
  readonly reads: string[] = [];
  /** Events sent to token-refresh, with the function's name. */
  readonly invocations: { functionName: string | undefined; event: EnsureEvent }[] = [];
  /** Number of reads that will fail or return the old value, and the error. */
  failingReads: { times: number; error: Error } = { times: 0, error: THROTTLED };
  staleReads = 0;
  /** Answers of token-refresh, in order. Once they are used up, it stores a new token. */
  readonly refreshAnswers: (EnsureAnswer | Error | { raw: object })[] = [];
  /** Awaited before each answer. */
  latency: () => Promise<void> = () => Promise.resolve();
  /** The `Date` of Secrets Manager's answers. */
  dateHeader: () => string | undefined = () => new Date(this.clock.trueMs).toUTCString();
  readonly clock: ClientClock;
  readonly #secrets = new Map<string, { versionId: string; value: string }[]>();
  #stored = 0;

  constructor(clock = new ClientClock()) {
    this.clock = clock;
  }

  /** Stores a token as the current one and returns its name. `in` is the key of the secret. */
  store(lifeMs: number, options: { key?: TokenKey; in?: TokenKey; accessToken?: string } = {}): string {
    const { key = KEY, accessToken = `token-${(this.#stored += 1)}` } = options;
    const value = JSON.stringify({
      accessToken,
      tokenType: 'Bearer',
      ...key,
      issuedAt: new Date(this.clock.trueMs).toISOString(),
      expiresAt: new Date(this.clock.trueMs + lifeMs).toISOString(),
      credentialVersionId: 'credential-1',
      writesMs: [this.clock.trueMs],
    });
    this.storeText(value, options.in ?? key);
    return accessToken;
  }

  storeText(value: string, key = KEY): void {
    const name = tokenSecretName('latchkey', key);
    const versions = this.#secrets.get(name) ?? [];
    this.#secrets.set(name, [{ versionId: `version-${versions.length + 1}`, value }, ...versions]);
  }

  /** Delays every answer until the returned function is called. */
  holdAnswers(): () => void {
    const answers: (() => void)[] = [];
    this.latency = () => new Promise((resolve) => void answers.push(resolve));
    return () => {
      this.latency = () => Promise.resolve();
      for (const answer of answers) answer();
    };
  }

  /** The options of a token source that can call token-refresh. */
  options(): TokenSourceOptions {
    return { ...this.readOnlyOptions(), tokenRefresh: REFRESH_ARN, lambda: this.lambda };
  }

  readOnlyOptions(): TokenSourceOptions {
    return { secretsManager: this.secretsManager, clock: this.clock, random: () => 0.5 };
  }

  readonly secretsManager = {
    send: async ({ input, middlewareStack }: GetSecretValueCommand) => {
      this.reads.push(input.SecretId!);
      await this.latency();
      if (this.failingReads.times > 0) {
        this.failingReads.times -= 1;
        throw this.failingReads.error;
      }
      const versions = this.#secrets.get(input.SecretId!) ?? [];
      const isStale = this.staleReads > 0 && versions.length > 1;
      if (isStale) this.staleReads -= 1;
      const version = versions[isStale ? 1 : 0];
      if (version === undefined) throw new ResourceNotFoundException({ message: 'no', $metadata: {} });
      const ARN = `arn:aws:secretsmanager:${SECRETS.region}:${SECRETS.account}:secret:${input.SecretId!}-AbCdEf`;
      const output = { ARN, VersionId: version.versionId, SecretString: version.value, $metadata: {} };
      const headers = { date: this.dateHeader() };
      await middlewareStack.resolve(async () => ({ response: { headers }, output }), {})({ input });
      return output;
    },
  } as unknown as NonNullable<TokenSourceOptions['secretsManager']>;

  readonly lambda = {
    send: async ({ input }: InvokeCommand) => {
      const event = JSON.parse(Buffer.from(input.Payload as Uint8Array).toString()) as EnsureEvent;
      this.invocations.push({ functionName: input.FunctionName, event });
      await this.latency();
      const answer = this.refreshAnswers.shift() ?? this.#renew(event);
      if (answer instanceof Error) throw answer;
      return 'raw' in answer ? answer.raw : { Payload: Buffer.from(JSON.stringify(answer)) };
    },
  } as unknown as NonNullable<TokenSourceOptions['lambda']>;

  #renew({ tenantId, interface: platformInterface, scope }: EnsureEvent): EnsureAnswer {
    const key = { ...KEY, tenantId, interface: platformInterface, scope } as TokenKey;
    this.store(60 * MINUTE_MS, { key });
    const name = tokenSecretName('latchkey', key);
    const { versionId } = this.#secrets.get(name)![0]!;
    return { ok: true, arn: name, versionId, expiresAt: 'unused', refreshed: true };
  }
}
