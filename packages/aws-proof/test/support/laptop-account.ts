import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type RunningLaptop } from '../../../../cli/local-run';
import { type LocalRun } from '../../../../core/deployment/local-run';
import { loadConfiguration } from '../../../../lib/options/load';
import { addRunSandbox, addRunStacks } from '../../../../lib/stacks/add-run-stacks';
import {
  Account,
  type AccountServices,
  RecordingReporter,
  RunClock,
  startAccountServices,
} from 'cdk-on-loopback/testing';
import { type Caller } from '../../src/caller';
import { cleanUp, type CleanUpReport } from '../../src/clean-up/clean-up';
import { runRecords } from '../../src/clean-up/runs';
import { laptopPorts } from '../../src/laptop';
import { type Ports } from '../../src/ports';
import { ProvenRun } from '../../src/proven-run';
import { ask, type Answered, type Question } from '../../src/question';
import { temporaryApp } from '../../../../test/support/lib/synthesis';

const ACCOUNT_ID = '111111111111';
const REGION = 'eu-west-1';
const PREFIX = 'prove-7e570001';

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
    const { apiGateway, rotator, scheduler, alarmTicks } = this.services;
    writeFileSync(caFile, apiGateway.caCertificate);
    for (const service of [rotator, scheduler, alarmTicks]) service.start();
    const { laptop, location } = this.caller();
    this.ports = await laptopPorts(laptop, { location, synthesize: synthesizeHere });
  }

  /** Starts the account, and deploys in it. */
  async start(): Promise<void> {
    await this.open();
    const interrupt = new AbortController();
    this.#run = new ProvenRun({ prefix: PREFIX, ports: this.ports, folder: this.#folder, interrupt });
    await this.#run.begin();
  }

  /** Its administrator, as `--local` finds him. */
  caller(): Caller & { laptop: RunningLaptop } {
    const { endpoint, apiGateway } = this.services;
    const aws = { endpoint: endpoint.url, region: REGION, ...this.services.issueAdministratorKey() };
    return {
      location: { partition: 'aws', region: REGION, accountId: ACCOUNT_ID },
      arn: `arn:aws:iam::${ACCOUNT_ID}:user/administrator`,
      clientConfig: { region: REGION, maxAttempts: 5 },
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
    const answered = await ask(question, this.#run, new AbortController().signal);
    if (answered.error !== undefined) throw answered.error;
    return answered;
  }

  /** Removes everything of the run. */
  cleanUp(): Promise<CleanUpReport> {
    const { accountId, region } = this.ports.location;
    const record = { prefix: PREFIX, accountId, region, createdAt: '', keyIds: [] };
    const records = runRecords(join(this.#folder, 'records'));
    return cleanUp(record, { ...this.ports, records });
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
  else addRunStacks(app, configuration);
  return app.synth().directory;
};
