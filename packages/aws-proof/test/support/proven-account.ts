import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { STSClient } from '@aws-sdk/client-sts';

import {
  type Account,
  type AccountServices,
  emptyAccount,
  type PolicyStatement,
  RecordingReporter,
  roleFor,
  RunClock,
  startAccountServices,
} from 'cdk-on-loopback/testing';
import { type CleanUpOptions } from '../../src/clean-up/clean-up';
import { type RunRecord, type RunRecords, runRecords } from '../../src/clean-up/runs';
import { clientsWith } from '../../src/clients';
import { laptopStacks } from '../../src/laptop';
import { type Stacks } from '../../src/ports';
import { type StackTemplate, writeAssembly } from './template-assembly';

const PLACE = { partition: 'aws', accountId: '111111111111', region: 'eu-west-1' };
const RETAINED = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
const TAG = (prefix: string) => [{ Key: 'latchkey:prove', Value: prefix }];

/** Every moment at which a process can die: before and after each request, and while stacks are deployed. */
export interface Moments {
  /** Called at each of them. Never settles if the process dies there. */
  pass(): Promise<void>;
}

/** A process that nobody kills. */
export const IMMORTAL: Moments = { pass: async () => undefined };

/** An account on the laptop in this process, in which a run leaves what it leaves on AWS. */
export class ProvenAccount {
  readonly account: Account = emptyAccount();
  readonly records: RunRecords;
  readonly #dir = mkdtempSync(join(tmpdir(), 'proven-'));
  readonly #clock = new RunClock();
  #services!: AccountServices;

  constructor() {
    this.records = runRecords(join(this.#dir, 'records'));
  }

  async start(): Promise<void> {
    this.#services = await startAccountServices({
      account: this.account,
      clock: this.#clock,
      reporter: new RecordingReporter(),
      port: 0,
      caFile: '/dev/null',
      inlineCodeDir: join(this.#dir, 'code'),
    });
  }

  /** The record of a run, unless it is removed. */
  recordOf(prefix: string): RunRecord | undefined {
    return this.records.list(PLACE).find((record) => record.prefix === prefix);
  }

  async close(): Promise<void> {
    await this.#services.close();
    rmSync(this.#dir, { recursive: true });
  }

  /**
   * What a command in this account uses.
   * @param moments of its process
   * @param statements of the caller's policy; without them, the administrator's
   */
  options(moments = IMMORTAL, statements?: PolicyStatement[]): CleanUpOptions {
    const credentials =
      statements === undefined ? this.#services.issueAdministratorKey() : this.#callerWith(statements);
    const endpoint = this.#services.endpoint.url;
    const requestHandler = mortalHandler(moments);
    const clock = this.#clock;
    const configAt = (systemClockOffset: number) => ({
      region: PLACE.region,
      credentials,
      endpoint,
      requestHandler,
      maxAttempts: 2,
      systemClockOffset,
    });
    let config = configAt(clock.offsetMs());
    const clientConfig = () => {
      if (config.systemClockOffset !== clock.offsetMs()) config = configAt(clock.offsetMs());
      return config;
    };
    const stacks = laptopStacks(() => ({
      region: PLACE.region,
      endpoint,
      credentials,
      systemClockOffset: clock.offsetMs(),
    }));
    return {
      location: PLACE,
      clientConfig,
      records: this.records,
      stacks: mortal(stacks, moments),
      time: {
        now: async () => new Date(clock.nowMs()),
        pass: (sec) => clock.advance(sec),
        until: async (look, { withinSec, everySec = 5 }) => {
          for (let waitedSec = 0; ; waitedSec += everySec) {
            const found = await look();
            if (found !== undefined || waitedSec >= withinSec) return found;
            await clock.advance(everySec);
          }
        },
      },
    };
  }

  /** Records a run and begins to deploy: a stack whose key comes last. */
  async beginFor(prefix: string): Promise<void> {
    await this.#record(prefix, IMMORTAL);
    const { name, template } = deployed(prefix);
    const { Key, Alias, Credentials, ...others } = (template as { Resources: Record<string, object> })
      .Resources;
    const many = Array.from({ length: 50 }, (_, n) => [`P${n}`, parameter(`/${prefix}/p${n}`)] as const);
    const first = Object.fromEntries(many);
    const last = { Key: { ...Key, DependsOn: Object.keys(first) }, Alias, Credentials };
    const Resources = { ...others, ...first, ...last };
    await this.options().stacks.deployAssembly(writeAssembly(this.#dir, { name, template: { Resources } }));
  }

  async #record(prefix: string, moments: Moments): Promise<void> {
    const { location, time } = this.options(moments);
    const { accountId, region } = location;
    const createdAt = (await time.now()).toISOString();
    this.records.save({ prefix, accountId, region, createdAt, keyIds: [] });
  }

  /**
   * Does what a run does: records, deploys, creates outside stacks, and fails to deploy.
   * @param assemblies to deploy, too
   */
  async useFor(prefix: string, moments = IMMORTAL, assemblies: readonly string[] = []): Promise<void> {
    const { stacks, clientConfig } = this.options(moments);
    await this.#record(prefix, moments);
    const deploy = (...templates: StackTemplate[]) =>
      stacks.deployAssembly(writeAssembly(this.#dir, ...templates));
    for (const dir of assemblies) await stacks.deployAssembly(dir);
    // Latchkey's own stack has the name of the one that stands for it.
    await deploy(...(assemblies.length === 0 ? [deployed(prefix)] : []), small(prefix));
    const { secretsManager } = clientsWith(clientConfig());
    await secretsManager.send(new CreateSecretCommand({ Name: `${prefix}-probe/secret`, Tags: TAG(prefix) }));
    await secretsManager.send(
      new CreateSecretCommand({ Name: `${prefix}-probe/untagged`, SecretString: 'value' }),
    );
    await deploy(failing(prefix)).catch(() => undefined);
    await deploy(small(prefix, 'changed'));
  }

  #callerWith(Statement: PolicyStatement[]) {
    const key = this.#services.addPerson('local-operator', []);
    const role = [...this.account.roles.values()].find(({ name }) => name === 'local-operator')!;
    role.inlinePolicies = [{ name: 'own', document: { Version: '2012-10-17', Statement } }];
    return key;
  }

  /** The names or ARNs of everything in the account but keys in deletion and the role of a caller. */
  contents(): string[] {
    const { account } = this;
    const maps = [
      ...[account.roles, account.managedPolicies, account.keys, account.keyAliases, account.secrets],
      ...[account.functions, account.queues, account.parameters, account.logGroups, account.schedules],
      ...[account.alarms, account.topics, account.tables, this.#services.restApis.byId],
    ];
    const stacks = this.#services.stacks.list('').map(({ name }) => `stack ${name}`);
    return [...maps.flatMap((map) => [...map.keys()]), ...stacks]
      .filter((each) => !each.endsWith('local-operator'))
      .sort();
  }
}

const parameter = (Name: string) => ({
  Type: 'AWS::SSM::Parameter',
  Properties: { Name, Type: 'String', Value: 'x' },
});

/** What a deployment keeps when its stack is deleted, and what it does not. */
function deployed(prefix: string): StackTemplate {
  const Tags = TAG(prefix);
  const KeyPolicy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam::111111111111:root' },
        Action: 'kms:*',
        Resource: '*',
      },
    ],
  };
  return {
    name: `${prefix}-staging-global`,
    template: {
      Resources: {
        Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy, Tags }, ...RETAINED },
        Alias: {
          Type: 'AWS::KMS::Alias',
          Properties: { AliasName: `alias/${prefix}`, TargetKeyId: { Ref: 'Key' } },
          ...RETAINED,
        },
        Credentials: {
          Type: 'AWS::SecretsManager::Secret',
          Properties: { Name: `${prefix}/staging/global/credentials`, KmsKeyId: { Ref: 'Key' }, Tags },
          ...RETAINED,
        },
        // Named by CloudFormation, after the stack.
        Token: { Type: 'AWS::SecretsManager::Secret', Properties: { Tags } },
        Audit: { Type: 'AWS::Logs::LogGroup', Properties: { Tags }, ...RETAINED },
        Parameter: {
          Type: 'AWS::SSM::Parameter',
          Properties: { Name: `/${prefix}/staging/global/key-arn`, Type: 'String', Value: { Ref: 'Key' } },
        },
        Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: `${prefix}-alarms`, Tags } },
      },
    },
  };
}

/** A probe's stack. Lambda creates the log group of its function, which no stack deletes. */
function small(prefix: string, text = 'first'): StackTemplate {
  const [Type, Properties] = roleFor('lambda.amazonaws.com');
  return {
    name: `${prefix}-small`,
    template: {
      Resources: {
        Role: { Type, Properties },
        Function: {
          Type: 'AWS::Lambda::Function',
          Properties: {
            FunctionName: `${prefix}-small`,
            Code: { ZipFile: `exports.handler = async () => '${text}';` },
            Handler: 'index.handler',
            Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
            Runtime: 'nodejs24.x',
          },
        },
      },
    },
  };
}

/** A stack that is rolled back, and leaves what its policies retain even then. */
function failing(prefix: string): StackTemplate {
  return {
    name: `${prefix}-failing`,
    template: {
      Resources: {
        Kept: {
          Type: 'AWS::SecretsManager::Secret',
          Properties: { Name: `${prefix}-failing/kept`, Tags: TAG(prefix) },
          ...RETAINED,
        },
        Broken: { Type: 'AWS::SSM::Parameter', DependsOn: 'Kept' },
      },
    },
  };
}

/** Sends requests of a process that can die before and after each. */
function mortalHandler(moments: Moments): STSClient['config']['requestHandler'] {
  const { requestHandler } = new STSClient({ region: PLACE.region }).config;
  const handle: typeof requestHandler.handle = async (...request) => {
    await moments.pass();
    const answer = await requestHandler.handle(...request);
    await moments.pass();
    return answer;
  };
  return Object.assign(Object.create(requestHandler) as typeof requestHandler, { handle });
}

/** Stacks whose caller can die before, during and after each operation. CloudFormation finishes what it has begun. */
function mortal(stacks: Stacks, moments: Moments): Stacks {
  const during = async <Result>(operation: () => Promise<Result>): Promise<Result> => {
    await moments.pass();
    const running = operation();
    // Dead callers see no failure.
    running.catch(() => undefined);
    await moments.pass();
    const result = await running;
    await moments.pass();
    return result;
  };
  return {
    deployAssembly: (dir) => during(() => stacks.deployAssembly(dir)),
    delete: (name) => during(() => stacks.delete(name)),
    list: (prefix) => during(() => stacks.list(prefix)),
    keys: (name) => during(() => stacks.keys(name)),
  };
}
