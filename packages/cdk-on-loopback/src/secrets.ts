import { type Secret } from './account';

/** Secrets by ARN, and by name, so that a request takes the same time in an account with thousands of them. */
export class Secrets extends Map<string, Secret> {
  /** The ARNs of all secrets that have, or had, replicas. */
  readonly replicated = new Set<string>();
  /** The ARNs of all secrets that are, or were, scheduled for deletion. */
  readonly inDeletion = new Set<string>();
  // Names are unique within a region, and never change.
  readonly #byName = new Map<string, Secret>();

  named(name: string): Secret | undefined {
    return this.#byName.get(name);
  }

  override set(arn: string, secret: Secret): this {
    this.#byName.set(secret.name, secret);
    return super.set(arn, secret);
  }

  override delete(arn: string): boolean {
    const secret = this.get(arn);
    if (secret && this.#byName.get(secret.name) === secret) this.#byName.delete(secret.name);
    this.replicated.delete(arn);
    this.inDeletion.delete(arn);
    return super.delete(arn);
  }

  override clear(): void {
    for (const arn of [...this.keys()]) this.delete(arn);
  }
}
