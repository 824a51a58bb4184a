import {
  DescribeSecretCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
} from '@aws-sdk/client-secrets-manager';

import { type CANDIDATE_LABEL, OUTCOME_LABELS, type OutcomeLabel } from '../../contract/credential-labels';
import { type CredentialKind } from '../../contract/secret-names';
import { SecretsManagerCredentialVersions } from '../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { CALL_TIMEOUT_MS, callAws } from '../call-aws';
import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';
import { type ChosenTenant } from '../system';

/** The labels that the command knows. */
type Label = 'AWSCURRENT' | 'AWSPREVIOUS' | 'AWSPENDING' | typeof CANDIDATE_LABEL | OutcomeLabel;

/** What staging labels tell of a credential secret. */
export interface SecretState {
  arn: string;
  /** Whether a rotation is configured. */
  isRotated: boolean;
  /** Which version holds a label: each is on one version at most. */
  versionWith: Readonly<Partial<Record<Label, string>>>;
}

type PutOutcome =
  /** `labels`: those that the version has, which a repetition of an earlier call leaves as they are. */
  | { kind: 'written'; labels: readonly string[] }
  /** Another value has this version id already. */
  | { kind: 'taken' };

/** A write is never cut short: nobody would know what became of it. */
const NEVER = new AbortController().signal;

/** The secret of one credential. Nothing here reads a value. */
export class CredentialSecret {
  readonly chosen: ChosenTenant;
  readonly kind: CredentialKind;
  readonly #interrupted: AbortSignal;

  /** @param interrupted cuts reading short */
  constructor(chosen: ChosenTenant, kind: CredentialKind, interrupted: AbortSignal) {
    this.chosen = chosen;
    this.kind = kind;
    this.#interrupted = interrupted;
  }

  /** The same secret, for work that an interruption must not cut short. */
  uninterrupted(): CredentialSecret {
    return new CredentialSecret(this.chosen, this.kind, NEVER);
  }

  /** @throws {CommandError} also where the secret is scheduled for deletion, and nothing can be written */
  async describe(): Promise<SecretState> {
    const { ARN, DeletedDate, RotationEnabled, VersionIdsToStages } = await this.#call(
      'DescribeSecret',
      this.#interrupted,
      (options) => this.#client.send(new DescribeSecretCommand({ SecretId: this.#id }), options),
    );
    const arn = ARN ?? this.#id;
    if (DeletedDate !== undefined) {
      throw new CommandError(EXIT.failed, 'scheduled_for_deletion', `${arn} is scheduled for deletion`, {
        advice: `To keep it: aws secretsmanager restore-secret --secret-id ${arn}`,
      });
    }
    const versionWith: Record<string, string> = {};
    for (const [versionId, labels] of Object.entries(VersionIdsToStages ?? {})) {
      for (const label of labels) versionWith[label] = versionId;
    }
    return { arn, isRotated: RotationEnabled ?? false, versionWith };
  }

  /** When a version that has a label was made; undefined where there is none. @throws {CommandError} */
  async createdAtMs(versionId: string): Promise<number | undefined> {
    let nextToken: string | undefined;
    do {
      const command = new ListSecretVersionIdsCommand({ SecretId: this.#id, NextToken: nextToken });
      const page = await this.#call('ListSecretVersionIds', this.#interrupted, (options) =>
        this.#client.send(command, options),
      );
      const version = page.Versions?.find(({ VersionId }) => VersionId === versionId);
      if (version !== undefined) return version.CreatedDate?.getTime();
      nextToken = page.NextToken;
    } while (nextToken !== undefined);
    return undefined;
  }

  /**
   * The time at AWS, which says when versions were made: a machine whose clock is wrong by minutes would mistake a
   * rotation that has just begun for one that was left behind. The SDK learns the difference from AWS's answers.
   * @param nowMs by the clock of this machine
   */
  awsTimeMs(nowMs: number): number {
    return nowMs + this.#client.config.systemClockOffset;
  }

  /** Adds a version. The same call repeated changes nothing. @throws {CommandError} */
  async put(versionId: string, value: object, label: Label): Promise<PutOutcome> {
    const command = new PutSecretValueCommand({
      SecretId: this.#id,
      ClientRequestToken: versionId,
      SecretString: JSON.stringify(value),
      VersionStages: [label],
    });
    try {
      const { VersionStages } = await this.#call('PutSecretValue', NEVER, (options) =>
        this.#client.send(command, options),
      );
      return { kind: 'written', labels: VersionStages ?? [] };
    } catch (error) {
      if (causeOf(error) === 'ResourceExistsException') return { kind: 'taken' };
      throw error;
    }
  }

  /**
   * Moves a label, attaches it (without `from`) or takes it off (without `to`), if it is where the caller says.
   * @throws {CommandError}
   */
  async moveLabel(label: Label, move: { from?: string; to?: string }): Promise<'moved' | 'conflict'> {
    const versions = new SecretsManagerCredentialVersions(this.#client);
    return this.#call('UpdateSecretVersionStage', NEVER, () =>
      versions.moveLabel(this.#id, { label, from: move.from, to: move.to }, CALL_TIMEOUT_MS),
    );
  }

  /**
   * Starts a rotation whose version will have that id. `rejected`: the one before has not ended, and is attempted once
   * more by that; or the secret can't be rotated at all, which its state tells.
   * @throws {CommandError}
   * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
   */
  async rotate(versionId: string): Promise<'started' | 'rejected'> {
    const command = new RotateSecretCommand({ SecretId: this.#id, ClientRequestToken: versionId });
    try {
      await this.#call('RotateSecret', NEVER, (options) => this.#client.send(command, options));
      return 'started';
    } catch (error) {
      if (causeOf(error) === 'InvalidRequestException') return 'rejected';
      throw error;
    }
  }

  get #client() {
    return this.chosen.deployment.secretsManager;
  }

  get #id(): string {
    return this.chosen.tenant.secretIds[this.kind];
  }

  #call<T>(
    operation: string,
    interrupted: AbortSignal,
    send: (options: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const { deployment } = this.chosen;
    return callAws(
      { action: `secretsmanager:${operation}`, resource: this.#id, deployment, interrupted },
      send,
    );
  }
}

/** How the last test of a version ended; undefined where none has. */
export function outcomeOf({ versionWith }: SecretState, versionId: string): OutcomeLabel | undefined {
  return OUTCOME_LABELS.find((label) => versionWith[label] === versionId);
}

/** The name of AWS's own error. */
function causeOf(error: unknown): string | undefined {
  return error instanceof CommandError && error.cause instanceof Error ? error.cause.name : undefined;
}
