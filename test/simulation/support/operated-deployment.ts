import { PutSecretValueCommand, RotateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { randomUUID } from 'node:crypto';

import { generateApiKey } from '../../../cli/credentials/generate-api-key';
import { putApiKey, putCredentials } from '../../../cli/credentials/put-credential';
import { revokePrevious } from '../../../cli/credentials/revoke-previous';
import { rollback } from '../../../cli/credentials/rollback';
import { type RotationEvent } from '../../../core/rotation/rotation';
import { CANDIDATE_LABEL, KIND_TAG } from '../../../core/secrets/credential-labels';
import { type DeploymentFile, type FieldNames } from '../../../core/deployment/deployment-file';
import {
  CREDENTIAL_KINDS,
  type CredentialKind,
  credentialSecretName,
  tokenSecretName,
} from '../../../core/secrets/secret-names';
import {
  Account,
  CloudWatch,
  lambdaFunction,
  type PolicyDocument,
  RecordingReporter,
  Rotator,
  RunClock,
  type SecretVersion,
} from 'cdk-on-loopback/testing';
import { FakeTerminal } from '../../cli/support/fake-terminal';
import { CredentialPlatform } from '../../support/platform/credential-platform';
import { KillPoints } from '../../support/kill-points';
import { virtualTransport } from '../../support/platform/virtual-transport';
import { deploymentOf, KEY, TENANT_ID } from '../../support/lambdas/token-functions';
import { ScriptedPlatform } from '../../support/lambdas/restore-functions';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { DrivenTime } from '../../support/live/driven-time';
import { LiveFunctions, type Watched } from '../../support/live/live-functions';
import { type Program, PROGRAMS } from '../../support/live/programs';
import { SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { type Outside } from '../../support/live/token-process';
import { type Command, runCommand, SESSION } from './run-command';

const CALL_MS = 20;
const PLATFORM = 'https://platform.example';
/** Of the credentials' rotation. */
const SCHEDULE = 'cron(0 8 1 * ? *)';

const functionArnOf = (name: string) => `arn:aws:lambda:eu-west-2:111122223333:function:${name}`;
const ROTATION_FUNCTION = functionArnOf('rotate-credentials-arn');
/** Their timeouts, by the parameters that name them. */
const FUNCTIONS = {
  'credential-watch-arn': 60,
  'rotate-credentials-arn': 60,
  'token-refresh-arn': 30,
  'token-sweep-arn': 240,
};
const INVOKABLE: PolicyDocument = {
  Statement: {
    Effect: 'Allow',
    Principal: { Service: 'secretsmanager.amazonaws.com' },
    Action: 'lambda:InvokeFunction',
    Resource: '*',
  },
};

/** A credential's value with Latchkey's field names. */
export type Credential = Readonly<Record<string, string>>;

/** A secret that existed before Latchkey. */
export interface LegacySecret {
  name: string;
  fields: FieldNames;
  /** The secret's value for a credential of the platform. */
  valueOf: (credential: Credential) => string;
}

/** One tenant with a credential of one kind and its surroundings, on one clock that a test drives. */
export class OperatedDeployment {
  readonly time = new DrivenTime();
  readonly kind: CredentialKind;
  readonly deployment: DeploymentFile = deploymentOf([TENANT_ID], {
    credentials: { maxAgeDays: 90, rotationSchedule: SCHEDULE },
    restoreApi: { apiKeyGraceSec: 86_400, acceptsApiKeys: true },
    platform: {
      contentBaseUrl: `${PLATFORM}/api`,
      contentTokenBaseUrl: `${PLATFORM}/content`,
      tenantServiceUrl: PLATFORM,
    },
  });
  readonly platform = new CredentialPlatform(TENANT_ID, () => this.time.nowMs());
  readonly secrets: SimulatedSecretsManager;
  readonly functions: LiveFunctions;
  /** Access to the outside. Each call takes time, in which nothing else runs. */
  readonly outside: Outside = {
    clock: this.time,
    random: () => 0.5,
    send: (command) => this.#take(() => this.secrets.send(command)),
    sendRequest: (request) => this.#take(() => virtualTransport(this.platform, this.time)(request)),
  };
  readonly arnOf = functionArnOf;
  readonly metrics = new CountingMetrics();
  beforeStep: (event: RotationEvent) => Promise<void> | void = () => undefined;
  /** Whether a credential was loaded from the beginning. */
  wasLoaded = false;
  terminal = new FakeTerminal();
  readonly secretName: string;

  private constructor(kind: CredentialKind, legacy?: LegacySecret) {
    this.kind = kind;
    // On virtual time, signals of real timeouts are useless.
    jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
    const account = new Account('111122223333', 'eu-west-2');
    const clock = new RunClock({}, this.time);
    const services = { account, clock, reporter: new RecordingReporter() };
    this.functions = new LiveFunctions({
      account,
      clock,
      cloudWatch: new CloudWatch(services),
      start: (functionArn, watched) => this.#start(functionArn, watched),
    });
    const rotator = new Rotator({ ...services, invoker: this.functions });
    rotator.start();
    this.secrets = new SimulatedSecretsManager(this.time, rotator, account);
    for (const [name, timeoutSec] of Object.entries(FUNCTIONS)) {
      const fn = lambdaFunction(name, { arn: functionArnOf(name), timeoutSec, resourcePolicy: INVOKABLE });
      account.functions.set(fn.arn, fn);
    }
    this.killRotations(new KillPoints());
    this.secretName = legacy?.name ?? credentialSecretName(this.deployment.prefix, KEY, kind);
    if (legacy !== undefined) this.#adopt(legacy);
  }

  /** A deployment that adopts a loaded secret of others, with the tag of its kind. */
  static async adopting(kind: CredentialKind, legacy: LegacySecret): Promise<OperatedDeployment> {
    const operated = new OperatedDeployment(kind, legacy);
    operated.wasLoaded = true;
    return operated.#deploy();
  }

  /** A deployment whose credential was replaced once, so that there is a previous one. */
  static async create(kind: CredentialKind): Promise<OperatedDeployment> {
    const operated = await OperatedDeployment.empty(kind);
    operated.wasLoaded = true;
    for (let count = 0; count < 2; count += 1) {
      operated.secrets.put(operated.secretName, operated.platform.issueValue(kind));
      await operated.time.advance(60 * 60_000);
    }
    return operated;
  }

  /** A deployment without credentials. The credential of the other kind is never loaded. */
  static async empty(kind: CredentialKind): Promise<OperatedDeployment> {
    return new OperatedDeployment(kind).#deploy();
  }

  command<Flags>(
    command: Command<Flags>,
    flags: Flags,
    { input = '', points }: { input?: string; points?: KillPoints | undefined } = {},
  ): Promise<string> {
    this.terminal = new FakeTerminal({ input });
    return runCommand(this, command, flags, this.terminal, points);
  }

  /** Loads a value with the command for its kind. */
  load(
    input: string,
    { points, ...flags }: { points?: KillPoints | undefined; revokePrevious?: boolean } = {},
  ): Promise<string> {
    return this.command(this.kind === 'api-key' ? putApiKey : putCredentials, flags, { input, points });
  }

  generate(points?: KillPoints): Promise<string> {
    return this.command(generateApiKey, {}, { input: SESSION, points });
  }

  rollBack(points?: KillPoints): Promise<string> {
    return this.command(rollback, { kind: this.kind }, { points });
  }

  revoke(points?: KillPoints): Promise<string> {
    return this.command(revokePrevious, { kind: this.kind }, { points });
  }

  /** Another writer stages a candidate, by its label alone. */
  async stageElsewhere(SecretString: string): Promise<void> {
    await this.secrets.send(
      new PutSecretValueCommand({
        SecretId: this.secretName,
        ClientRequestToken: randomUUID(),
        SecretString,
        VersionStages: [CANDIDATE_LABEL],
      }),
    );
  }

  /** The kill points of rotate-credentials from now on. */
  killRotations(points: KillPoints): void {
    this.functions.points.set(ROTATION_FUNCTION, points);
  }

  /** Configures a schedule without an immediate rotation, as the templates do; AWS then runs only the configuration test. */
  async configureRotation(secretName: string): Promise<void> {
    await this.outside.send(
      new RotateSecretCommand({
        SecretId: secretName,
        ClientRequestToken: randomUUID(),
        RotationLambdaARN: ROTATION_FUNCTION,
        RotationRules: { ScheduleExpression: SCHEDULE, Duration: '3h' },
        RotateImmediately: false,
      }),
    );
  }

  versions(): SecretVersion[] {
    return [...this.secrets.secret(this.secretName).versions.values()];
  }

  holderOf(label: string): string | undefined {
    return this.secrets.versionWith(this.secretName, label)?.versionId;
  }

  valueAt(label: string): string | undefined {
    return this.secrets.versionWith(this.secretName, label)?.secretString;
  }

  #take<Result>(call: () => Result): Result {
    this.time.pass(CALL_MS);
    return call();
  }

  #adopt({ name, fields, valueOf }: LegacySecret): void {
    const { secrets, platform, kind, deployment } = this;
    const { arn } = secrets.create(name, { [KIND_TAG]: kind });
    secrets.put(name, valueOf(JSON.parse(platform.issueValue(kind)) as Credential));
    const field = kind === 'api-key' ? 'apiKey' : 'clientCredentials';
    deployment.tenants[0]!.adopted = { [field]: { arn, fields } };
  }

  async #deploy(): Promise<OperatedDeployment> {
    const { secrets, deployment, time, secretName } = this;
    secrets.create(tokenSecretName(deployment.prefix, KEY));
    for (const kind of CREDENTIAL_KINDS) {
      const usual = credentialSecretName(deployment.prefix, KEY, kind);
      const name = kind === this.kind ? secretName : usual;
      if (name === usual) secrets.create(name, { [KIND_TAG]: kind });
      await time.until(this.configureRotation(name));
    }
    await time.advance(60_000);
    return this;
  }

  #start(functionArn: string, watched: Watched): Program {
    const isRotation = functionArn === ROTATION_FUNCTION;
    const handle = PROGRAMS[functionArn.split(':').at(-1) as keyof typeof FUNCTIONS]({
      deployment: this.deployment,
      outside: watched(this.outside),
      metrics: isRotation ? this.metrics : new CountingMetrics(),
      invoker: this.functions,
      environment: {},
      platform: new ScriptedPlatform(),
    });
    return async (event, context) => {
      if (isRotation) await this.beforeStep(event as RotationEvent);
      return handle(event, context);
    };
  }
}

/** Expects the next credential to be loaded normally, whatever an earlier rotation left behind. */
export async function expectReplaceable(operated: OperatedDeployment): Promise<void> {
  operated.platform.trouble = undefined;
  operated.beforeStep = () => undefined;
  const next = operated.platform.issueValue(operated.kind);

  expect(await operated.load(next)).toBe('done');

  expect(operated.valueAt('AWSCURRENT')).toBe(next);
}
