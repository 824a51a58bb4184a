import { randomUUID } from 'node:crypto';

import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';

import { RUN_TAG } from '../contract/run-tag';
import { type AwsClients, type DeployedLatchkey, type System } from '../probes/system';
import { type ClientConfig, clientsWith } from './clients';
import { configOfRole } from './config-of-role';
import { deleteSecret } from './delete-secret';
import { requestHttps } from './https-request';
import { type Ports } from './ports';

/** The system of one probe. */
export class AccountSystem implements System {
  readonly place: System['place'];
  readonly prefix: string;
  readonly time: System['time'];
  readonly stacks: System['stacks'];
  readonly #ports: Ports;
  readonly #latchkey: DeployedLatchkey | undefined;
  readonly #secrets: string[] = [];
  #clients: { readonly config: ClientConfig; readonly aws: AwsClients } | undefined;

  constructor(ports: Ports, prefix: string, latchkey?: DeployedLatchkey) {
    this.place = ports.place;
    this.prefix = prefix;
    this.time = ports.time;
    this.stacks = ports.stacks;
    this.#ports = ports;
    this.#latchkey = latchkey;
  }

  get aws(): AwsClients {
    const config = this.#ports.clientConfig();
    if (this.#clients?.config !== config) this.#clients = { config, aws: clientsWith(config) };
    return this.#clients.aws;
  }

  async as(roleArn: string): Promise<AwsClients> {
    return clientsWith(await configOfRole(this.#ports, roleArn));
  }

  readonly request: System['request'] = (url, options) => requestHttps(this.#ports, url, options);

  async secret(value?: string): Promise<{ name: string; arn: string }> {
    // The secrets of a run that was killed may still be there when it is resumed.
    const name = `${this.prefix}/probe-${randomUUID()}`;
    const created = await this.aws.secretsManager.send(
      new CreateSecretCommand({
        Name: name,
        Tags: [{ Key: RUN_TAG, Value: this.prefix }],
        ...(value !== undefined && { SecretString: value }),
      }),
    );
    this.#secrets.push(created.ARN!);
    return { name, arn: created.ARN! };
  }

  get latchkey(): DeployedLatchkey {
    if (this.#latchkey === undefined) throw new Error('the probe does not declare that it needs latchkey');
    return this.#latchkey;
  }

  /** Deletes what the probe created outside stacks. */
  async end(): Promise<void> {
    const { secretsManager } = this.aws;
    for (const SecretId of this.#secrets.splice(0)) {
      await deleteSecret(secretsManager, SecretId);
    }
  }
}
