import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';

import { type CredentialKind } from '../../../core/secrets/secret-names';
import { type ApiKeyValue, type ClientCredentialsValue } from '../../../core/secrets/secret-values';
import { tenantKeyOf } from '../../../core/tokens/token-key';
import { placeFlags } from '../../../core/commands/place-flags';
import { type CommandOptions, type CommandResult, latchkey } from './command';
import { issue, type Place } from './journeys';

/** One tenant of a running system, operated by the command. */
export class OperatedTenant {
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  /** The flags that select this tenant. */
  get flags(): string[] {
    const { deployment, tenant } = this.place;
    return placeFlags(tenantKeyOf(deployment, tenant.tenantId)).split(' ');
  }

  /**
   * Runs a command for this tenant.
   * @param words the command with its flags
   */
  run(words: string, options?: CommandOptions): Promise<CommandResult> {
    return latchkey(this.place.system, [...words.split(' '), ...this.flags], options);
  }

  /** Runs a command with a JSON document on standard input. */
  give(words: string, document: object, options?: CommandOptions): Promise<CommandResult> {
    return this.run(words, { ...options, input: JSON.stringify(document) });
  }

  /** New client credentials from the platform. */
  newPair(): Promise<ClientCredentialsValue> {
    return issue(this.place, 'credentials') as Promise<ClientCredentialsValue>;
  }

  /** A new API key from the platform. */
  newKey(): Promise<ApiKeyValue> {
    return issue(this.place, 'api-keys') as Promise<ApiKeyValue>;
  }

  /** The headers that the browser of a freshly signed-in user sends. */
  newSession(): Promise<{ authorization: string; correlationId: string }> {
    const { environment, platformRegion } = this.place.deployment;
    const { tenantId } = this.place.tenant;
    return this.place.system.control('POST', '/sessions', { environment, platformRegion, tenantId });
  }

  arn(kind: CredentialKind): string {
    const { clientCredentialsArn, apiKeyArn } = this.place.tenant;
    return kind === 'api-key' ? apiKeyArn! : clientCredentialsArn;
  }

  /** The version of each label. */
  async labels(kind: CredentialKind): Promise<Record<string, string>> {
    const { VersionIdsToStages = {} } = await this.place.system.administrator.secrets.send(
      new DescribeSecretCommand({ SecretId: this.arn(kind) }),
    );
    return Object.fromEntries(
      Object.entries(VersionIdsToStages).flatMap(([versionId, labels]) =>
        labels.map((label) => [label, versionId]),
      ),
    );
  }

  /** The current value. */
  current<T extends ClientCredentialsValue | ApiKeyValue>(kind: CredentialKind): Promise<T> {
    return this.place.system.secret<T>(this.arn(kind));
  }

  /** The current client id. Unlike the secret beside it, a failed test may print it. */
  async currentClientId(): Promise<string> {
    return (await this.current<ClientCredentialsValue>('client-credentials')).clientId;
  }

  /** Makes the platform fail requests for this tenant. */
  async fail(target: 'token' | 'content', fault: object): Promise<void> {
    const match = { tenantId: this.place.tenant.tenantId };
    await this.place.system.control('POST', '/faults', { target, match, ...fault });
  }
}
