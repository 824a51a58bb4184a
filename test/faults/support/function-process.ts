import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundle } from '../../../lib/bundling/bundle';
import { EnvironmentProcess, lambdaEnvironment } from 'cdk-on-loopback/testing';
import { REGION } from 'cdk-on-loopback/testing/local-aws';
import { deploymentFor } from './arrangement';
import { functionFor, trustedAuthority, type WireWorld } from './wire-world';

/** The world's function in its own process, as the local run starts it, so that it can be killed. */
export class FunctionProcess {
  /** Everything it has printed. */
  readonly lines: string[];
  readonly #environment: EnvironmentProcess;
  readonly #folder: string;
  readonly #world: WireWorld;

  private constructor(world: WireWorld, folder: string, environment: EnvironmentProcess, lines: string[]) {
    this.#world = world;
    this.#folder = folder;
    this.#environment = environment;
    this.lines = lines;
  }

  static async start(world: WireWorld): Promise<FunctionProcess> {
    const name = functionFor(world.situation.action);
    const folder = mkdtempSync(join(tmpdir(), `${name}-`));
    const caFile = join(folder, 'authority.pem');
    const deployment = deploymentFor(world.situation, world.wirePlatform.server.url);
    writeFileSync(join(folder, 'index.js'), bundle(name));
    writeFileSync(join(folder, 'deployment.json'), JSON.stringify(deployment));
    writeFileSync(caFile, (await trustedAuthority()).certificatePem);
    const lines: string[] = [];
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    const keys = {
      accessKeyId: AWS_ACCESS_KEY_ID!,
      secretAccessKey: AWS_SECRET_ACCESS_KEY!,
      sessionToken: AWS_SESSION_TOKEN!,
    };
    const fn = world.aws.addFunction(`${name}-to-be-killed`, { codeDir: folder, memoryMb: 256 });
    const environment = await EnvironmentProcess.start({
      fn,
      environment: (runtimeApi) =>
        lambdaEnvironment(fn, keys, { region: REGION, endpointUrl: world.gate.url, caFile }, runtimeApi),
      offsetMs: 0,
      onLine: (line) => lines.push(line),
      startTimer: () => () => undefined,
    });
    return new FunctionProcess(world, folder, environment, lines);
  }

  /** Starts an invocation with the situation's action, without waiting for its result. */
  begin(): void {
    const { action, tenantId } = this.#world.situation;
    const { interface: of, scope } = this.#world.key;
    const event = action === 'sweep' ? { action } : { action, tenantId, interface: of, scope };
    const invocation = { requestId: 'request-1', functionArn: this.#environment.fn.arn, offsetMs: 0 };
    const payload = Buffer.from(JSON.stringify(event));
    void this.#environment.invoke({ ...invocation, payload }, () => Date.now());
  }

  /** Kills the process with SIGKILL, and waits until it has ended. */
  async kill(): Promise<void> {
    await this.#environment.end();
    rmSync(this.#folder, { recursive: true });
  }
}
