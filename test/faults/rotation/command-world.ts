import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KIND_TAG } from '../../../contract/credential-labels';
import { type LocalRun } from '../../../contract/local-run';
import { credentialSecretName } from '../../../contract/secret-names';
import { type Secret } from '../../../local/account';
import { ACCOUNT_ID, LocalAws, REGION } from '../../local/aws/local-account';
import { SESSION } from '../../simulation/support/operations';
import { findCanaries } from '../../support/canaries';
import { LoopbackServer } from '../../support/lambdas/loopback-server';
import { injectAwsFault } from '../support/aws-faults';
import { AwsGate, pass } from '../support/aws-gate';
import { WirePlatform } from '../support/wire-platform';
import { trustedAuthority } from '../support/wire-world';
import { CredentialPlatform } from './credential-platform';
import { OLD_VERSION, TENANT_ID } from './rotation-world';

const COMMAND = join(__dirname, '../../../bin/latchkey.cjs');
const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID } as const;

/** The result of a run of the command. */
interface Ended {
  /** Null if it was killed. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** The command in its own process, with a local account behind a gate and a TLS server as its platform. */
class CommandWorld {
  readonly #aws: LocalAws;
  readonly #gate: AwsGate;
  readonly #platform: CredentialPlatform;
  readonly #stateDir = mkdtempSync(join(tmpdir(), 'latchkey-state-'));
  readonly #secret: Secret;
  readonly #old: string;

  private constructor(aws: LocalAws, gate: AwsGate, platform: CredentialPlatform, url: string, ca: string) {
    this.#aws = aws;
    this.#gate = gate;
    this.#platform = platform;
    this.#secret = aws.addSecret(credentialSecretName('latchkey', TENANT, 'api-key'), {
      tags: { [KIND_TAG]: 'api-key' },
    });
    this.#old = platform.issueValue('api-key');
    const old = { versionId: OLD_VERSION, createdAtMs: 0, secretString: this.#old };
    this.#secret.versions.set(OLD_VERSION, { ...old, stages: new Set(['AWSCURRENT']) });
    const caFile = join(this.#stateDir, 'ca.pem');
    writeFileSync(caFile, ca);
    writeFileSync(join(this.#stateDir, 'local.json'), JSON.stringify(this.#run(url, caFile)));
  }

  static async start(): Promise<CommandWorld> {
    const authority = await trustedAuthority();
    const aws = new LocalAws();
    const platform = new CredentialPlatform(TENANT_ID, () => Date.now());
    const [{ server }] = await Promise.all([
      WirePlatform.start(await authority.issue(), platform),
      aws.start(),
    ]);
    const gate = await AwsGate.start(aws.url);
    return new CommandWorld(aws, gate, platform, server.url, authority.certificatePem);
  }

  async stop(): Promise<void> {
    rmSync(this.#stateDir, { recursive: true });
    await Promise.all([LoopbackServer.stopAll(), this.#gate.stop()]);
    await this.#aws.stop();
  }

  /**
   * Runs `latchkey api-key generate` without a terminal.
   * @param fault.killAtWrite kills the process when it sends the key, before the write is executed
   * @param fault.writesFailWith AWS's error for every write
   */
  async generate(fault: { killAtWrite?: boolean; writesFailWith?: string }): Promise<Ended> {
    const { writesFailWith: error } = fault;
    if (error !== undefined) await injectAwsFault(this.#aws, { operation: 'PutSecretValue', error });
    const args = ['api-key', 'generate', '--local', '--json', '--state-dir', this.#stateDir];
    const child = spawn(process.execPath, [COMMAND, ...args], { stdio: 'pipe' });
    this.#gate.intercept = (call, held) =>
      fault.killAtWrite && call.operation === 'PutSecretValue'
        ? void child.kill('SIGKILL')
        : pass(call, held);
    const ended: Ended = { exitCode: null, stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (ended[name] += text));
    }
    child.stdin.end(SESSION);
    ended.exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    const shown = [{ place: 'standard output and error', text: ended.stdout + ended.stderr }];
    expect(findCanaries(this.#platform.canaries, shown)).toEqual([]);
    return ended;
  }

  /** Expects this many generated keys, none of them stored, and a working old key. */
  expectNothingStored({ generated }: { generated: number }): void {
    expect(this.#platform.generated).toHaveLength(generated);
    const values = [...this.#secret.versions.values()].map(({ secretString }) => secretString);
    expect(values).toEqual([this.#old]);
    expect(this.#platform.accepts('api-key', this.#old)).toBe(true);
  }

  #run(platformUrl: string, caFile: string): LocalRun {
    const key = this.#aws.administrator;
    const platform = {
      contentBaseUrl: `${platformUrl}/api`,
      contentTokenBaseUrl: `${platformUrl}/content`,
      tenantServiceUrl: platformUrl,
    };
    const tenant = {
      tenantId: TENANT_ID,
      clientCredentialsArn: 'none',
      apiKeyArn: this.#secret.arn,
      tokens: [],
    };
    const { environment, platformRegion } = TENANT;
    return {
      aws: { ...key, endpoint: this.#gate.url, region: REGION, accountId: ACCOUNT_ID },
      operator: key,
      caFile,
      sandboxControl: `${platformUrl}/_sandbox`,
      deployments: [
        {
          ...{ environment, platformRegion, platform, functions: {} },
          stack: `latchkey-${environment}-${platformRegion}`,
          tenants: [{ ...tenant, archivedContentIds: [], authorRefs: [], collaborationIds: [] }],
        },
      ],
    };
  }
}

/** Runs a row with the command in processes of its own. */
export async function withCommandWorld(run: (world: CommandWorld) => Promise<void>): Promise<void> {
  const world = await CommandWorld.start();
  try {
    await run(world);
  } finally {
    await world.stop();
  }
}
