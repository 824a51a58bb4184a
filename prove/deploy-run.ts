import { join } from 'node:path';

import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { clientsWith } from './clients';
import { platformAt, stacksOf, writeConfiguration } from './configuration';
import { RunLatchkey, type Sandbox } from './deployed-latchkey';
import { type Ports } from './ports';

interface RunOptions {
  readonly prefix: string;
  readonly ports: Ports;
  /** For the run's files; exists. */
  readonly folder: string;
  /** Stops commands. */
  readonly interrupt: AbortController;
  /** Called before each step. */
  readonly onStep?: (text: string) => void;
}

/**
 * Deploys the sandbox, and Latchkey against it, and loads Latchkey's credentials.
 * @throws {DeploymentFailed}
 * @throws {Error} if credentials cannot be loaded
 */
export async function deployRun(options: RunOptions): Promise<RunLatchkey> {
  const { prefix, ports, folder, interrupt, onStep = () => undefined } = options;
  onStep('deploying the sandbox of the platform');
  const configurationFile = join(folder, 'latchkey.json');
  writeConfiguration(configurationFile, { prefix, place: ports.place, platform: platformAt() });
  const outputs = await ports.stacks.deployAssembly(await ports.synthesize('sandbox', configurationFile));
  const sandbox = await sandboxIn(outputs[stacksOf(prefix).sandbox], ports);
  const latchkey = new RunLatchkey({ prefix, ports, sandbox, configurationFile, signal: interrupt });
  onStep('deploying Latchkey');
  await latchkey.deploy();
  onStep('loading credentials');
  await latchkey.load();
  return latchkey;
}

async function sandboxIn(outputs: Readonly<Record<string, string>> = {}, ports: Ports): Promise<Sandbox> {
  const { SandboxUrl: url, ControlSecretName: SecretId } = outputs;
  if (url === undefined || SecretId === undefined) throw new Error('the stack of the sandbox has no outputs');
  const { secretsManager } = clientsWith(ports.clientConfig());
  const { SecretString } = await secretsManager.send(new GetSecretValueCommand({ SecretId }));
  return { url, controlSecret: SecretString };
}
