import { CANDIDATE_LABEL } from '../../../contract/credential-labels';
import { type StoreError } from '../../../lambdas/shared/domain/store-error';
import {
  type CredentialVersions,
  type DescribedSecret,
  type LabelMove,
  type LabelOutcome,
} from '../../../lambdas/shared/ports';

/** One version and what is attached to it. */
export interface VersionState {
  versionId: string;
  labels: string[];
  value: string | undefined;
}

/**
 * One credential secret that behaves as those of Secrets Manager do: a label sits on one version, moves by
 * compare-and-set, AWSPREVIOUS follows AWSCURRENT, the first version becomes current, and a value never changes.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
 */
export class InMemoryCredentialVersions implements CredentialVersions {
  readonly arn: string;
  name: string;
  tags: Record<string, string>;
  /** Every call, in order, without values. */
  readonly calls: string[] = [];
  /** One per coming call, taken in order; undefined lets a call through. `lost`: done, but answered by the error. */
  readonly faults: ({ error: StoreError; lost?: boolean } | undefined)[] = [];
  /** Called before each move of a label: what another one does in between. */
  meanwhile: (move: LabelMove) => void = () => undefined;
  readonly #values = new Map<string, string | undefined>();
  readonly #holders = new Map<string, string>();

  constructor(name: string, tags: Record<string, string>) {
    this.name = name;
    this.tags = tags;
    this.arn = `arn:aws:secretsmanager:eu-west-1:111111111111:secret:${name}-AbCdEf`;
  }

  async describe(): Promise<DescribedSecret> {
    return this.#call('describe', () => {
      const labelled = this.versions().filter(({ labels }) => labels.length > 0);
      const labels = new Map(labelled.map((version) => [version.versionId, version.labels]));
      return { arn: this.arn, name: this.name, tags: this.tags, labels };
    });
  }

  async value(_: string, versionId: string): Promise<string | undefined> {
    return this.#call(`value ${versionId}`, () => this.#values.get(versionId));
  }

  async putPending(_: string, versionId: string, value: string): Promise<void> {
    return this.#call(`putPending ${versionId}`, () => {
      if (this.#values.get(versionId) === undefined) this.put(versionId, value, ['AWSPENDING']);
    });
  }

  async moveLabel(_: string, move: LabelMove): Promise<LabelOutcome> {
    const { label, from, to } = move;
    return this.#call(`moveLabel ${label} ${from ?? 'none'} ${to ?? 'none'}`, () => {
      this.meanwhile(move);
      const holder = this.#holders.get(label);
      if (holder !== from && !(from === undefined && holder === to)) return 'conflict';
      if (to === undefined) this.#holders.delete(label);
      else this.move(label, to);
      return 'moved';
    });
  }

  /** Adds a version, whoever does it. The very first one becomes current whatever is asked for. */
  put(versionId: string, value: string | undefined, labels: readonly string[]): void {
    const isFirst = this.#values.size === 0 && value !== undefined;
    this.#values.set(versionId, value);
    for (const label of isFirst ? [...labels, 'AWSCURRENT'] : labels) this.move(label, versionId);
  }

  /** Moves a label by hand; undefined takes it off. */
  move(label: string, to: string | undefined): void {
    const holder = this.#holders.get(label);
    if (holder === to) return;
    if (to === undefined) this.#holders.delete(label);
    else this.#holders.set(label, to);
    if (label === 'AWSCURRENT' && holder !== undefined) this.#holders.set('AWSPREVIOUS', holder);
  }

  /** Stages a new credential, as the command does. */
  stage(versionId: string, value: string): void {
    this.put(versionId, value, [CANDIDATE_LABEL]);
  }

  holderOf(label: string): string | undefined {
    return this.#holders.get(label);
  }

  /** The value of the version with that label. */
  valueAt(label: string): string | undefined {
    const holder = this.#holders.get(label);
    return holder === undefined ? undefined : this.#values.get(holder);
  }

  versions(): VersionState[] {
    return [...this.#values].map(([versionId, value]) => ({
      versionId,
      labels: [...this.#holders].filter(([, holder]) => holder === versionId).map(([label]) => label),
      value,
    }));
  }

  async #call<Result>(name: string, run: () => Result): Promise<Result> {
    this.calls.push(name);
    const fault = this.faults.shift();
    if (fault === undefined) return run();
    if (fault.lost === true) run();
    throw fault.error;
  }
}
