import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';

import { type CredentialKind } from '../../../contract/secret-names';
import { type ApiKeyValue, type ClientCredentialsValue } from '../../../contract/secret-values';
import { type CommandOptions, type CommandResult, latchkey } from './command';
import { issue, type Place, placeOf, restore } from './journeys';
import { type RunningSystem } from './running-system';

/** One tenant of a running system, operated with the command. */
export class OperatedTenant {
  readonly place: Place;

  constructor(system: RunningSystem, environment: string, platformRegion: string, tenant = 0) {
    const place = placeOf(system, environment, platformRegion);
    this.place = { ...place, tenant: place.deployment.tenants[tenant]! };
  }

  /** The first tenant of a deployment, with both credentials loaded as an operator does. */
  static async loaded(
    system: RunningSystem,
    environment: string,
    platformRegion: string,
  ): Promise<OperatedTenant> {
    const tenant = new OperatedTenant(system, environment, platformRegion);
    await tenant.give('credentials put', await tenant.newPair());
    await tenant.give('api-key put', await tenant.newKey());
    return tenant;
  }

  /** The flags that name it. */
  get flags(): string[] {
    const { deployment, tenant } = this.place;
    const { environment, platformRegion } = deployment;
    return ['--environment', environment, '--platform-region', platformRegion, '--tenant', tenant.tenantId];
  }

  /** Runs a command on it: `words` are those of the command, and flags. */
  run(words: string, options?: CommandOptions): Promise<CommandResult> {
    return latchkey(this.place.system, [...words.split(' '), ...this.flags], options);
  }

  /** The same with one JSON document on standard input. */
  give(words: string, document: object, options?: CommandOptions): Promise<CommandResult> {
    return this.run(words, { ...options, input: JSON.stringify(document) });
  }

  /** Client credentials that the platform has just made. */
  newPair(): Promise<ClientCredentialsValue> {
    return issue(this.place, 'credentials') as Promise<ClientCredentialsValue>;
  }

  /** An API key that the platform has just made. */
  newKey(): Promise<ApiKeyValue> {
    return issue(this.place, 'api-keys') as Promise<ApiKeyValue>;
  }

  /** What the browser of somebody who has just signed in sends. */
  newSession(more: object = {}): Promise<{ authorization: string; correlationId: string }> {
    const { environment, platformRegion } = this.place.deployment;
    const { tenantId } = this.place.tenant;
    return this.place.system.control('POST', '/sessions', {
      environment,
      platformRegion,
      tenantId,
      ...more,
    });
  }

  arn(kind: CredentialKind): string {
    const { clientCredentialsArn, apiKeyArn } = this.place.tenant;
    return kind === 'api-key' ? apiKeyArn : clientCredentialsArn;
  }

  /** Which version has which label. */
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

  /** The value that is current. */
  current<T extends ClientCredentialsValue | ApiKeyValue>(kind: CredentialKind): Promise<T> {
    return this.place.system.secret<T>(this.arn(kind));
  }

  /** What the restore API answers to somebody who authenticates so; 404 for one who may, as there is no such content. */
  async restoreStatus(authorization: string): Promise<number> {
    return (await restore(this.place, authorization, 'none')).status;
  }

  /** Makes the platform fail requests in the name of this tenant. */
  async fail(target: 'token' | 'content' | 'tenants', fault: object): Promise<void> {
    const match = target === 'tenants' ? {} : { match: { tenantId: this.place.tenant.tenantId } };
    await this.place.system.control('POST', '/faults', { target, ...match, ...fault });
  }
}
