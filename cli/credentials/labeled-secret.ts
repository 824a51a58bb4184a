import { PutSecretValueCommand, RotateSecretCommand } from '@aws-sdk/client-secrets-manager';

import {
  type CANDIDATE_LABEL,
  type LacksLabel,
  OUTCOME_LABELS,
  type OutcomeLabel,
} from '../../core/secrets/credential-labels';
import { issuerName } from '../../core/issuers/learning-platform';
import { type CredentialKind } from '../../core/secrets/secret-names';
import { SecretsManagerCredentialVersions } from '../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { renameFields } from '../../core/secrets/credential-values';
import { CALL_TIMEOUT_MS, callAws } from '../call-aws';
import { CommandError, usageError } from '../command-error';
import { tenantCommand } from '../command-text';
import { describeSecret } from '../describe-secret';
import { EXIT } from '../exit-codes';
import { type ChosenTenant } from '../system';

type Label = 'AWSCURRENT' | 'AWSPREVIOUS' | 'AWSPENDING' | typeof CANDIDATE_LABEL | OutcomeLabel | LacksLabel;

/** A credential secret's state, from its staging labels. */
export interface SecretState {
  arn: string;
  /** Whether rotation is configured. */
  isRotated: boolean;
  /** The version id that holds each label. */
  versionWith: Readonly<Partial<Record<Label, string>>>;
}

type PutOutcome =
  /** `labels`: those on the version now, which a repeated call does not change. */
  | { kind: 'written'; labels: readonly string[] }
  /** This version id already holds another value. */
  | { kind: 'taken' };

/** Writes are never interrupted: their outcome would be unknown. */
const NEVER = new AbortController().signal;

/** The secret of one credential. Never reads a value. */
export class LabeledSecret {
  readonly chosen: ChosenTenant;
  readonly kind: CredentialKind;
  readonly #interrupted: AbortSignal;

  /**
   * @param interrupted aborts reads, not writes
   * @throws {CommandError} if the configuration gives the tenant no such secret
   */
  constructor(chosen: ChosenTenant, kind: CredentialKind, interrupted: AbortSignal) {
    if (kind === 'api-key' && chosen.tenant.apiKey === false) {
      const { offers = [] } = chosen.deployment.issuing.profile;
      if (!offers.includes('api-keys')) {
        throw usageError('issuer', issuerName(chosen.deployment), 'one that has API keys');
      }
      throw usageError(
        `apiKey of ${chosen.tenant.tenantId}`,
        'false',
        'true for an API key',
        'Set it in the configuration, or in the options of the construct, and deploy.',
      );
    }
    this.chosen = chosen;
    this.kind = kind;
    this.#interrupted = interrupted;
  }

  /** Who issues its values, for texts. */
  get issuer(): string {
    return issuerOf(this.chosen, this.kind);
  }

  /** The same secret, with reads that ignore interruption. */
  uninterrupted(): LabeledSecret {
    return new LabeledSecret(this.chosen, this.kind, NEVER);
  }

  /** @throws {CommandError} also if the secret is scheduled for deletion */
  async describe(): Promise<SecretState> {
    const { ARN, DeletedDate, RotationEnabled, VersionIdsToStages } = await describeSecret(
      this.chosen.deployment,
      this.#id,
      this.#interrupted,
    );
    const arn = ARN ?? this.#id;
    if (DeletedDate !== undefined) {
      throw new CommandError(EXIT.failed, 'scheduled_for_deletion', `${arn} is scheduled for deletion`, {
        advice: `To cancel the deletion: \`${tenantCommand(this.chosen, 'doctor --fix')}\``,
      });
    }
    const versionWith: Record<string, string> = {};
    for (const [versionId, labels] of Object.entries(VersionIdsToStages ?? {})) {
      for (const label of labels) versionWith[label] = versionId;
    }
    return { arn, isRotated: RotationEnabled ?? false, versionWith };
  }

  /** When a labeled version was created, in ms since the epoch; undefined if not found. @throws {CommandError} */
  createdAtMs(versionId: string): Promise<number | undefined> {
    return this.#call('ListSecretVersionIds', this.#interrupted, () =>
      this.#versions.createdAtMs(this.#id, versionId, CALL_TIMEOUT_MS),
    );
  }

  /**
   * The time by AWS's clock, to compare with creation times of versions. The SDK learns the offset from responses.
   * @param nowMs by this machine's clock
   */
  awsTimeMs(nowMs: number): number {
    return nowMs + this.#client.config.systemClockOffset;
  }

  /** Adds a version, with the secret's own field names. Idempotent. @throws {CommandError} */
  async put(versionId: string, value: object, label: Label): Promise<PutOutcome> {
    const command = new PutSecretValueCommand({
      SecretId: this.#id,
      ClientRequestToken: versionId,
      SecretString: JSON.stringify(renameFields(value, this.chosen.tenant.secretFields?.[this.kind])),
      VersionStages: [label],
    });
    try {
      const { VersionStages } = await this.#call('PutSecretValue', NEVER, (options) =>
        this.#client.send(command, options),
      );
      return { kind: 'written', labels: VersionStages ?? [] };
    } catch (error) {
      if (awsErrorName(error) === 'ResourceExistsException') return { kind: 'taken' };
      throw error;
    }
  }

  /** Moves a label if it is on `from`. Without `from` attaches it; without `to` removes it. @throws {CommandError} */
  moveLabel(label: Label, move: { from?: string; to?: string }): Promise<'moved' | 'conflict'> {
    return this.#call('UpdateSecretVersionStage', NEVER, () =>
      this.#versions.moveLabel(this.#id, { label, from: move.from, to: move.to }, CALL_TIMEOUT_MS),
    );
  }

  /**
   * Starts a rotation that creates this version. `rejected`: rotation is not configured, or an earlier rotation has not ended;
   * then Secrets Manager retries that one.
   * @throws {CommandError}
   * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
   */
  async rotate(versionId: string): Promise<'started' | 'rejected'> {
    const command = new RotateSecretCommand({ SecretId: this.#id, ClientRequestToken: versionId });
    try {
      await this.#call('RotateSecret', NEVER, (options) => this.#client.send(command, options));
      return 'started';
    } catch (error) {
      if (awsErrorName(error) === 'InvalidRequestException') return 'rejected';
      throw error;
    }
  }

  get #versions(): SecretsManagerCredentialVersions {
    return new SecretsManagerCredentialVersions(this.#client);
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

/** Who issues a credential, for texts. Only the platform has API keys. */
export function issuerOf({ deployment }: ChosenTenant, kind: CredentialKind): string {
  return kind === 'api-key' ? 'the platform' : `the issuer ${issuerName(deployment)}`;
}

/** The outcome of a version's last test; undefined if there is none. */
export function outcomeOf({ versionWith }: SecretState, versionId: string): OutcomeLabel | undefined {
  return OUTCOME_LABELS.find((label) => versionWith[label] === versionId);
}

/** The labels of a version. */
export function labelsOf({ versionWith }: SecretState, versionId: string): Label[] {
  return (Object.keys(versionWith) as Label[]).filter((label) => versionWith[label] === versionId);
}

/** The name of the AWS error. */
function awsErrorName(error: unknown): string | undefined {
  return error instanceof CommandError && error.cause instanceof Error ? error.cause.name : undefined;
}
