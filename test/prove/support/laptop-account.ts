import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfiguration } from '../../../lib/config/load';
import { addRunSandbox, addRunStacks } from '../../../lib/stacks/add-run-stacks';
import { Account, type PolicyDocument } from '../../../local/account';
import { type AccountServices, startAccountServices } from '../../../local/account-services';
import { RunClock } from '../../../local/run-clock';
import { type Probe } from '../../../probes/probe';
import { type RunLatchkey } from '../../../prove/deployed-latchkey';
import { deployRun } from '../../../prove/deploy-run';
import { cleanUp, type CleanUpReport } from '../../../prove/clean-up';
import { laptopPorts } from '../../../prove/laptop-ports';
import { callerPolicy, type Policy } from '../../../prove/policy';
import { type Ports } from '../../../prove/ports';
import { type ProbeResult, runProbes } from '../../../prove/run-probes';
import { RunRecords } from '../../../prove/run-record';
import { temporaryApp } from '../../support/lib/synthesis';
import { RecordingReporter } from '../../support/local/recording-reporter';

const ACCOUNT_ID = '111111111111';
const REGION = 'eu-west-1';
const PREFIX = 'prove-7e570001';

/** API Gateway's logging role of an account whose APIs log already. */
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

/** An account of the laptop in this process, which stands for one on AWS. */
export interface LaptopAccount {
  readonly account: Account;
  readonly services: AccountServices;
  readonly ports: Ports;
  readonly reporter: RecordingReporter;
  /** The caller's permissions; at first those that the command prints. */
  allow(policy: Policy): void;
  /** Deploys the sandbox and Latchkey, and loads its credentials. */
  deployLatchkey(): Promise<RunLatchkey>;
  /** Removes everything of the run. */
  cleanUp(): Promise<CleanUpReport>;
  /** Runs probes, with Latchkey if it was deployed. The errors of those that failed are thrown. */
  run(probes: readonly Probe[]): Promise<ProbeResult[]>;
  close(): Promise<void>;
}

export async function startLaptopAccount(): Promise<LaptopAccount> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-prove-'));
  const caFile = join(folder, 'ca.pem');
  const account = new Account(ACCOUNT_ID, REGION);
  const reporter = new RecordingReporter();
  const clock = new RunClock();
  const files = { caFile, inlineCodeDir: join(folder, 'inline-code') };
  const services = await startAccountServices({ account, clock, reporter, port: 0, ...files });
  const { endpoint, apiGateway } = services;
  writeFileSync(caFile, apiGateway.caCertificate);
  services.rotator.start();
  services.scheduler.start();
  services.alarmTicks.start();

  const ports = laptopPorts({
    place: { partition: 'aws', region: REGION, accountId: ACCOUNT_ID },
    prefix: PREFIX,
    ...{ endpoint: endpoint.url, credentials: services.operator(), clockAheadMs: 0 },
    clockCredentials: services.administrator(),
    ...{ apiOrigin: apiGateway.origin, ca: apiGateway.caCertificate, folder },
    synthesize: synthesizeHere,
  });
  // The role has a key that does not expire, as a person's own.
  const caller = account.roles.get(`arn:aws:iam::${ACCOUNT_ID}:role/local-operator`)!;
  const allow = (policy: Policy) => {
    const document = policy as unknown as PolicyDocument;
    const inlinePolicies = [{ name: 'caller', document }];
    account.roles.set(caller.arn, { ...caller, inlinePolicies, managedPolicyArns: [] });
  };
  allow(callerPolicy());
  await ports.stacks.deploy({ name: 'api-gateway-account', template: LOGGING_ROLE });

  let latchkey: RunLatchkey | undefined;
  return {
    ...{ account, services, ports, reporter, allow },
    deployLatchkey: async () => {
      latchkey = await deployRun({ prefix: PREFIX, ports, folder, interrupt: new AbortController() });
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
    cleanUp: async () => {
      const records = new RunRecords(join(folder, 'records'));
      const begun = {
        prefix: PREFIX,
        ...ports.place,
        createdAt: new Date().toISOString(),
        restApiIds: [],
        keyIds: [],
      };
      // A removal that was cut off knows the keys of stacks that are gone by its record.
      const record = records.list(ports.place).find(({ prefix }) => prefix === PREFIX) ?? begun;
      return cleanUp(record, { ...ports, records, signal: new AbortController().signal });
    },
    close: async () => {
      await services.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** As the run's own app, in this process. */
const synthesizeHere: Ports['synthesize'] = async (part, configurationFile) => {
  const app = temporaryApp();
  const configuration = loadConfiguration(configurationFile);
  if (part === 'sandbox') addRunSandbox(app, configuration);
  else addRunStacks(app, { configuration, hasLoggingRole: true });
  return app.synth().directory;
};
