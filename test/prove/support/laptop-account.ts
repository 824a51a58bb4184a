import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sendHttpsTrusting } from '../../../lambdas/shared/adapters/https-client';
import { loadConfiguration } from '../../../lib/config/load';
import { addRunStacks } from '../../../lib/stacks/add-run-stacks';
import { Account } from '../../../local/account';
import { type AccountServices, startAccountServices } from '../../../local/account-services';
import { type AwsError } from '../../../local/aws/aws-error';
import { RunClock } from '../../../local/run-clock';
import { onSandbox } from '../../../local/served-deployments';
import { type AssemblyStack, readAssembly } from '../../../local/template/assembly';
import { templateSchema } from '../../../local/template/template';
import { startOnOnePort } from '../../../platform/sandbox/one-port';
import { DeploymentFailed } from '../../../probes/system';
import { type Probe } from '../../../probes/probe';
import { PROVEN_TENANTS } from '../../../prove/configuration';
import { RunLatchkey } from '../../../prove/deployed-latchkey';
import { type DeployableStacks, type Ports, type Synthesize } from '../../../prove/ports';
import { type ProbeResult, runProbes } from '../../../prove/run-probes';
import { temporaryApp } from '../../support/lib/synthesis';
import { RecordingReporter } from '../../support/local/recording-reporter';

const ACCOUNT_ID = '111111111111';
const REGION = 'eu-west-1';
const PREFIX = 'prove-test';
const SANDBOX_HOST = `sandbox.execute-api.${REGION}.amazonaws.com`;

const LOGGING_ROLE = {
  Resources: {
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' }, Action: 'sts:AssumeRole' },
          ],
        },
        ManagedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'],
      },
    },
    Account: {
      Type: 'AWS::ApiGateway::Account',
      Properties: { CloudWatchRoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] } },
    },
  },
};

/** An account of the laptop in this process, which stands for one on AWS, with the sandbox beside it. */
export interface LaptopAccount {
  readonly account: Account;
  readonly services: AccountServices;
  readonly ports: Ports;
  readonly reporter: RecordingReporter;
  /** Deploys Latchkey and loads its credentials. */
  deployLatchkey(settings?: object): Promise<RunLatchkey>;
  /** Runs probes, with Latchkey if it was deployed. The errors of those that failed are thrown. */
  run(probes: readonly Probe[]): Promise<ProbeResult[]>;
  close(): Promise<void>;
}

export async function startLaptopAccount(): Promise<LaptopAccount> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-prove-'));
  const caFile = join(folder, 'ca.pem');
  const account = new Account(ACCOUNT_ID, REGION);
  const reporter = new RecordingReporter();
  const tenants = PROVEN_TENANTS.map((tenantId) => ({ tenantId }));
  const sandbox = await startOnOnePort(
    { cells: [{ environment: 'staging', platformRegion: 'global', tenants }] },
    0,
  );
  let sandboxMs = 0;
  const clock = new RunClock({
    onOffset: (offsetMs) => {
      sandbox.state.clock.advance((offsetMs - sandboxMs) / 1000);
      sandboxMs = offsetMs;
    },
  });
  const files = { caFile, inlineCodeDir: join(folder, 'inline-code') };
  const services = await startAccountServices({ account, clock, reporter, port: 0, ...files });
  const { endpoint, apiGateway } = services;
  const ca = `${sandbox.caCertificate.trim()}\n${apiGateway.caCertificate.trim()}\n`;
  writeFileSync(caFile, ca);
  const send = sendHttpsTrusting(ca, 'localhost');
  const sandboxOrigin = new URL(sandbox.addresses.control).origin;
  services.rotator.start();
  services.scheduler.start();
  services.alarmTicks.start();

  const credentials = services.administrator();
  const configAt = (systemClockOffset: number) => ({
    ...{ region: REGION, credentials, endpoint: endpoint.url, systemClockOffset, maxAttempts: 3 },
  });
  let config = configAt(0);
  const pass = async (sec: number) => {
    await clock.advance(sec);
    services.alarmTicks.settle();
    config = configAt(clock.offsetMs());
  };
  const ports: Ports = {
    place: { partition: 'aws', region: REGION, accountId: ACCOUNT_ID },
    clientConfig: () => config,
    time: {
      now: async () => new Date(clock.nowMs()),
      pass,
      until: async (look, { withinSec, everySec = 5 }) => {
        for (let waitedSec = 0; ; waitedSec += everySec) {
          const found = await look();
          if (found !== undefined || waitedSec >= withinSec) return found;
          await pass(everySec);
        }
      },
    },
    stacks: stacksIn(
      services,
      (dir) => onSandbox(readAssembly(dir), sandbox.addresses, mkdtempSync(join(folder, 'code-'))).stacks,
    ),
    synthesize: synthesizeHere,
    sendRequest: (request) => {
      const { hostname, host, pathname, search } = request.url;
      return hostname === SANDBOX_HOST
        ? send({ ...request, url: new URL(pathname.replace('/sandbox', '') + search, sandboxOrigin) })
        : send({
            ...request,
            url: new URL(pathname + search, apiGateway.origin),
            headers: { ...request.headers, host },
          });
    },
  };

  // As in an account whose APIs log already.
  await ports.stacks.deploy({ name: 'api-gateway-account', template: LOGGING_ROLE });

  let latchkey: RunLatchkey | undefined;
  return {
    ...{ account, services, ports, reporter },
    deployLatchkey: async (settings) => {
      latchkey = new RunLatchkey({
        ...{ prefix: PREFIX, ports, configurationFile: join(folder, 'latchkey.json') },
        sandbox: { url: `https://${SANDBOX_HOST}/sandbox`, controlSecret: undefined },
        signal: new AbortController(),
      });
      await latchkey.deploy(settings);
      await latchkey.load();
      return latchkey;
    },
    run: async (probes) => {
      const errors: Error[] = [];
      const results = await runProbes(probes, {
        ...{ ports, prefix: PREFIX, latchkey, signal: new AbortController().signal },
        onError: (_id, error) => errors.push(error),
      });
      if (errors.length > 0) throw new AggregateError(errors, errors.map(({ stack }) => stack).join('\n'));
      return results;
    },
    close: async () => {
      await services.close();
      await sandbox.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** @param read returns the stacks of an assembly */
function stacksIn(
  { stacks }: AccountServices,
  read: (dir: string) => readonly AssemblyStack[],
): DeployableStacks {
  const deploy = async (all: readonly AssemblyStack[]) => {
    try {
      return await stacks.deploy(all);
    } catch (error) {
      const { message, fields } = error as AwsError;
      throw new DeploymentFailed(message, fields?.status as string | undefined, { cause: error });
    }
  };
  return {
    deploy: (...templates) =>
      deploy(
        templates.map(({ name, template }) => ({
          ...{ name, template: templateSchema.parse(template) },
          ...{ parameters: {}, assetDirs: new Map<string, string>() },
        })),
      ),
    deployAssembly: (dir) => deploy(read(dir)),
    delete: (...names) => stacks.delete(names),
  };
}

const synthesizeHere: Synthesize = async (_what, configurationFile) => {
  const app = temporaryApp();
  addRunStacks(app, { configuration: loadConfiguration(configurationFile), hasLoggingRole: true });
  return app.synth().directory;
};
