import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { CONFIGURATION_VERSION } from '../../../lib/config/configuration-version';
import { DEPLOY_MANY } from '../../../lib/costs/deployment-time';
import { count } from '../figures';
import { type Answer, type BenchOptions } from '../question';

const ROOT = join(__dirname, '../../..');
const PLACE = { account: '111122223333', region: 'eu-west-1' };

/**
 * Seconds that CloudFormation takes. AWS publishes none: public deployment logs show 2 to 3 for a secret and for an alarm. Alarms are
 * put at the default rate of PutMetricAlarm.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
 */
const TIMES = { changeSetSec: 3, startSec: 3, endSec: 1, resourceSec: 3, alarmsPerSec: 3 };
const CALL_MS = 100;

interface Run {
  concurrency: number;
  /** Without change sets. */
  isDirect?: true;
  /** Calls a second that CloudFormation allows for each action. AWS publishes none: users report 2 to 10. */
  callsPerSec: number;
}

/** With the command as a synthesis prints it. */
const PRINTED: Run = { concurrency: 10, callsPerSec: 5 };
const RUNS: readonly Run[] = [
  ...[1, 5, 10, 20].map((concurrency) => ({ concurrency, callsPerSec: 10 })),
  { concurrency: 5, callsPerSec: 5 },
  PRINTED,
  { concurrency: 20, callsPerSec: 5 },
  ...[5, 10].map((concurrency) => ({ concurrency, callsPerSec: 2 })),
  ...[1, 10].map((concurrency) => ({ concurrency, isDirect: true as const, callsPerSec: 5 })),
];

interface Deployed {
  exitCode: number | null;
  sec: number;
  stacks: number;
  throttled: number;
}

/** Deploys many tenants with the real `cdk deploy`, in virtual time, to a CloudFormation that limits rates. */
export async function deploy({ isQuick, progress }: BenchOptions): Promise<Answer> {
  const tenants = isQuick ? 5 : 100;
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  try {
    progress(`deploy: synthesizing ${tenants} tenants`);
    const assembly = synthesize(folder, tenants);
    const rows: string[][] = [];
    const printed: Deployed[] = [];
    for (const run of isQuick ? [PRINTED] : RUNS) {
      progress(`deploy: ${run.concurrency} stacks at a time, ${run.callsPerSec} calls a second`);
      const account = new DeployedAccount(folder, assembly, run);
      const first = await account.deploy();
      const again = await account.deploy();
      rows.push(rowOf(run, first, again));
      if (run === PRINTED) printed.push(first, again);
    }
    const stacks = tenants + 2;
    const isDone = printed.every((each) => each.exitCode === 0 && each.stacks === stacks);
    return {
      tables: [
        {
          title: `Deploy: ${count(tenants)} tenants with three tokens each, in virtual time`,
          columns: [
            'at a time',
            'method',
            'calls a second',
            'first deployment',
            'throttled',
            'without a change',
            'throttled',
          ],
          rows,
        },
      ],
      goals: [
        {
          number: 16,
          subject: `\`${DEPLOY_MANY}\`, ${PRINTED.callsPerSec} calls a second of each action`,
          wanted: `${stacks} stacks, and again without a change`,
          measured: printed.map((each) => `${each.stacks} stacks`).join(', '),
          isMet: isDone,
          isTimed: false,
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rowOf({ concurrency, isDirect, callsPerSec }: Run, first: Deployed, again: Deployed): string[] {
  return [
    String(concurrency),
    isDirect ? 'direct' : 'change sets',
    String(callsPerSec),
    ...[first, again].flatMap(({ exitCode, sec, stacks, throttled }) => [
      exitCode === 0 ? `${Math.round(sec)} s` : `failed after ${stacks} stacks`,
      count(throttled),
    ]),
  ];
}

/** The assembly's folder. @throws {Error} with the output of the app, if it fails */
function synthesize(folder: string, tenants: number): string {
  const addresses = {
    contentBaseUrl: 'https://api.platform.example/rest/v1',
    contentTokenBaseUrl: 'https://auth.platform.example',
  };
  const webhooks = {
    webhooksBaseUrl: 'https://webhooks.platform.example/v1',
    webhooksTokenBaseUrl: 'https://webhooks-auth.platform.example',
  };
  const tokens = ['content api/read', 'content api/write', 'webhooks api/webhooks'].map((each) => {
    const [name, scope] = each.split(' ');
    return { interface: name, scope };
  });
  const configuration = {
    version: CONFIGURATION_VERSION,
    endpoints: { staging: { global: { ...addresses, ...webhooks } } },
    deployments: [
      {
        ...{ environment: 'staging', platformRegion: 'global', ...PLACE },
        tenants: Array.from({ length: tenants }, (_, n) => ({ tenantId: `tenant-${n}`, tokens })),
      },
    ],
  };
  const file = join(folder, 'configuration.json');
  const assembly = join(folder, 'assembly');
  writeFileSync(file, JSON.stringify(configuration));
  const { status, stderr } = spawnSync(process.execPath, ['--require', 'tsx/cjs', 'bin/app.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, CDK_VALIDATION: 'false', CDK_OUTDIR: assembly, LATCHKEY_CONFIG: file },
  });
  if (status !== 0) throw new Error(stderr);
  return assembly;
}

/** An account of its own for each run. */
class DeployedAccount {
  readonly #run: Run;
  readonly #assembly: string;
  readonly #stateDir: string;

  constructor(folder: string, assembly: string, run: Run) {
    this.#run = run;
    this.#assembly = assembly;
    this.#stateDir = mkdtempSync(join(folder, 'account-'));
  }

  async deploy(): Promise<Deployed> {
    const home = mkdtempSync(join(this.#stateDir, 'home-'));
    const program = pathToFileURL(join(__dirname, '../programs/deployed-account.mjs')).href;
    const child = spawn(
      process.execPath,
      ['--import', program, join(ROOT, 'node_modules/aws-cdk/bin/cdk'), ...this.#arguments()],
      {
        cwd: home,
        env: {
          ...{ PATH: process.env.PATH, HOME: home, CDK_HOME: home, CI: 'true', AWS_REGION: PLACE.region },
          ...{
            AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
            AWS_SECRET_ACCESS_KEY: 'x',
            AWS_EC2_METADATA_DISABLED: 'true',
          },
          ...{ CDK_DISABLE_CLI_TELEMETRY: 'true', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
          DEPLOYED_ACCOUNT: JSON.stringify({
            ...{ stateDir: this.#stateDir, place: PLACE, times: TIMES, callMs: CALL_MS },
            callsPerSec: this.#run.callsPerSec,
          }),
        },
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    const figures = JSON.parse(readFileSync(join(this.#stateDir, 'figures.json'), 'utf8')) as Omit<
      Deployed,
      'exitCode' | 'stacks'
    >;
    const stacks = output.match(/✅/g)?.length ?? 0;
    const sec = Number(/Total time: ([\d.]+)s/.exec(output)?.[1] ?? figures.sec);
    return { ...figures, exitCode, stacks, sec };
  }

  #arguments(): string[] {
    const { concurrency, isDirect } = this.#run;
    const [, , ...args] = DEPLOY_MANY.split(' ');
    args[args.indexOf('--concurrency') + 1] = String(concurrency);
    if (isDirect) args.push('--method', 'direct');
    return [...args, '--app', this.#assembly, '--no-notices', '--no-color'];
  }
}
