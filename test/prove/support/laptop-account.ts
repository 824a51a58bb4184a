import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LocalRun } from '../../../contract/local-run';
import { loadConfiguration } from '../../../lib/config/load';
import { addRunSandbox, addRunStacks } from '../../../lib/stacks/add-run-stacks';
import { Account } from '../../../local/account';
import { type AccountServices, startAccountServices } from '../../../local/account-services';
import { RunClock } from '../../../local/run-clock';
import { ask } from '../../../prove/ask';
import { type Caller } from '../../../prove/caller';
import { cleanUp, type CleanUpReport } from '../../../prove/clean-up/clean-up';
import { RunRecords } from '../../../prove/clean-up/runs';
import { laptopPorts } from '../../../prove/laptop';
import { type Ports } from '../../../prove/ports';
import { ProvenRun } from '../../../prove/proven-run';
import { type Question } from '../../../prove/question';
import { type Answered } from '../../../prove/report';
import { temporaryApp } from '../../support/lib/synthesis';
import { RecordingReporter } from '../../support/local/recording-reporter';
import { writeAssembly } from './template-assembly';

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

/** An account of the laptop in this process, in which the sandbox and Latchkey are deployed as on AWS. */
export class LaptopAccount {
  services!: AccountServices;
  ports!: Ports;
  readonly #folder = mkdtempSync(join(tmpdir(), 'latchkey-test-prove-'));
  #run!: ProvenRun;

  /** Starts the account. */
  async open(): Promise<void> {
    const caFile = join(this.#folder, 'ca.pem');
    this.services = await startAccountServices({
      account: new Account(ACCOUNT_ID, REGION),
      clock: new RunClock(),
      reporter: new RecordingReporter(),
      port: 0,
      caFile,
      inlineCodeDir: join(this.#folder, 'inline-code'),
    });
    const { endpoint, apiGateway, rotator, scheduler, alarmTicks } = this.services;
    writeFileSync(caFile, apiGateway.caCertificate);
    for (const service of [rotator, scheduler, alarmTicks]) service.start();
    this.ports = laptopPorts({
      place: { partition: 'aws', region: REGION, accountId: ACCOUNT_ID },
      endpoint: endpoint.url,
      credentials: this.services.administrator(),
      clockAheadMs: 0,
      apiOrigin: apiGateway.origin,
      ca: apiGateway.caCertificate,
      synthesize: synthesizeHere,
    });
    const { stacks } = this.ports;
    await stacks.deployAssembly(
      writeAssembly(this.#folder, { name: 'api-gateway-account', template: LOGGING_ROLE }),
    );
  }

  /** Starts the account, and deploys in it. */
  async start(): Promise<void> {
    await this.open();
    const interrupt = new AbortController();
    this.#run = new ProvenRun({ prefix: PREFIX, ports: this.ports, folder: this.#folder, interrupt });
    await this.#run.begin();
  }

  /** Its administrator, as `--local` finds him. */
  caller(): Caller {
    const { endpoint, apiGateway } = this.services;
    const aws = { endpoint: endpoint.url, region: REGION, ...this.services.administrator() };
    return {
      place: this.ports.place,
      arn: `arn:aws:iam::${ACCOUNT_ID}:user/administrator`,
      settings: { region: REGION, maxAttempts: 5 },
      endpoint: new URL(endpoint.url).host,
      laptop: {
        run: { aws, deployments: [{ restoreApiUrl: apiGateway.origin }] } as unknown as LocalRun,
        caFile: '',
        ca: apiGateway.caCertificate,
        clockAheadMs: 0,
      },
    };
  }

  /** Asks one question. @throws {Error} with which it fails */
  async ask(question: Question): Promise<Answered> {
    const errors: Error[] = [];
    const signal = new AbortController().signal;
    const [answered] = await ask([question], this.#run, { signal, onError: (error) => errors.push(error) });
    if (errors.length > 0) throw errors[0]!;
    return answered!;
  }

  /** Removes everything of the run. */
  cleanUp(): Promise<CleanUpReport> {
    const { accountId, region } = this.ports.place;
    const record = { prefix: PREFIX, accountId, region, createdAt: '', restApiIds: [], keyIds: [] };
    const records = new RunRecords(join(this.#folder, 'records'));
    return cleanUp(record, { ...this.ports, records, signal: new AbortController().signal });
  }

  async close(): Promise<void> {
    await this.services.close();
    rmSync(this.#folder, { recursive: true });
  }
}

/** As the run's own app, in this process. */
const synthesizeHere: Ports['synthesize'] = async (part, configurationFile) => {
  const app = temporaryApp();
  const configuration = loadConfiguration(configurationFile);
  if (part === 'sandbox') addRunSandbox(app, configuration);
  else addRunStacks(app, { configuration, hasLoggingRole: true });
  return app.synth().directory;
};
