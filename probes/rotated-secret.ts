import { randomUUID } from 'node:crypto';

import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import {
  DescribeSecretCommand,
  type DescribeSecretResponse,
  PutSecretValueCommand,
  RotateSecretCommand,
  type RotateSecretCommandInput,
} from '@aws-sdk/client-secrets-manager';

import { type RotationStep } from '../contract/rotation';
import { type Outputs, type System } from './system';
import { allow, arnOf, outputs, role, secretShell, tagsOf, withStack } from './templates';
import { type FunctionSettings, ROTATION_CODE } from './rotation-function';

/** How long Secrets Manager takes, at most, until a step of a rotation has run and its line can be read. */
const STEP_SEC = 180;
/** Rules under which no schedule starts a rotation while a probe looks. */
export const RULES = { AutomaticallyAfterDays: 365 };

/** What RotateSecret may answer while a rotation is under way. */
const REFUSALS = ['InvalidRequestException', 'InvalidParameterException', 'ResourceExistsException'];

export interface RotationSettings extends FunctionSettings {
  /** `RotationRules` of a `RotationSchedule`, which rotates nothing at once; null without rules. @default no such resource */
  readonly schedule?: object | null;
  /** What the function's permission names as source. @default the secret */
  readonly sourceArn?: unknown;
  /** More of the stack: resources, outputs, and what the function may do. */
  readonly more?: {
    readonly resources: object;
    readonly outputs: Readonly<Record<string, unknown>>;
    readonly statements?: readonly object[];
  };
}

/** A stack with a secret, which has no version, and a function that rotates it. */
export function rotationTemplate(
  system: System,
  { fails, givesUp = false, schedule, sourceArn = { Ref: 'Secret' }, more }: RotationSettings,
): object {
  return {
    Resources: {
      Secret: secretShell(system, 'rotated'),
      Log: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 1, Tags: tagsOf(system) } },
      FunctionRole: role(system, 'lambda.amazonaws.com', [
        allow(['logs:CreateLogStream', 'logs:PutLogEvents'], arnOf('Log')),
        allow(
          [
            'secretsmanager:DescribeSecret',
            'secretsmanager:GetSecretValue',
            'secretsmanager:PutSecretValue',
            'secretsmanager:UpdateSecretVersionStage',
          ],
          { Ref: 'Secret' },
        ),
        ...(more?.statements ?? []),
      ]),
      Function: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Code: { ZipFile: ROTATION_CODE },
          ...{ Handler: 'index.handler', Runtime: 'nodejs22.x', Timeout: 30, Role: arnOf('FunctionRole') },
          LoggingConfig: { LogGroup: { Ref: 'Log' } },
          Environment: {
            Variables: {
              URL_SUFFIX: { Ref: 'AWS::URLSuffix' },
              ...(fails !== undefined && { FAILS: fails }),
              ...(givesUp && { GIVES_UP: 'yes' }),
            },
          },
          Tags: tagsOf(system),
        },
      },
      Permission: {
        Type: 'AWS::Lambda::Permission',
        Properties: {
          ...{ Action: 'lambda:InvokeFunction', FunctionName: { Ref: 'Function' } },
          Principal: 'secretsmanager.amazonaws.com',
          SourceAccount: { Ref: 'AWS::AccountId' },
          SourceArn: sourceArn,
        },
      },
      ...(schedule !== undefined && {
        Schedule: {
          Type: 'AWS::SecretsManager::RotationSchedule',
          DependsOn: 'Permission',
          Properties: {
            ...{ SecretId: { Ref: 'Secret' }, RotationLambdaARN: arnOf('Function') },
            RotateImmediatelyOnUpdate: false,
            ...(schedule !== null && { RotationRules: schedule }),
          },
        },
      }),
      ...more?.resources,
    },
    Outputs: outputs({
      ...{ SecretArn: { Ref: 'Secret' }, FunctionArn: arnOf('Function'), LogGroup: { Ref: 'Log' } },
      ...more?.outputs,
    }),
  };
}

/** Deploys such a stack, looks, and deletes it. @throws {DeploymentFailed} */
export function withRotation<Result>(
  system: System,
  settings: RotationSettings,
  look: (rotation: Rotation) => Promise<Result>,
): Promise<Result> {
  const template = rotationTemplate(system, settings);
  return withStack(system, template, (outputsOfStack) => look(new Rotation(system, outputsOfStack)));
}

/** A step that Secrets Manager asked of the function. */
export interface SeenStep {
  readonly step: RotationStep;
  readonly versionId: string;
  /** Whether the version had a value; only of `testSecret`. */
  readonly hasValue?: boolean;
  readonly atMs: number;
}

/** A secret of a stack and its function. */
export class Rotation {
  readonly secretId: string;
  readonly functionArn: string;
  readonly outputs: Outputs;
  readonly #system: System;

  constructor(system: System, outputsOfStack: Outputs) {
    this.#system = system;
    this.outputs = outputsOfStack;
    this.secretId = outputsOfStack.SecretArn!;
    this.functionArn = outputsOfStack.FunctionArn!;
  }

  /** Sets the function, and starts a rotation. @returns the pending version's id */
  async rotate(input: Partial<RotateSecretCommandInput> = {}): Promise<string> {
    const ClientRequestToken = randomUUID();
    const { VersionId } = await this.#system.aws.secretsManager.send(
      new RotateSecretCommand({
        ...{ SecretId: this.secretId, ClientRequestToken, RotationLambdaARN: this.functionArn },
        RotationRules: RULES,
        ...input,
      }),
    );
    return VersionId ?? input.ClientRequestToken ?? ClientRequestToken;
  }

  /** As `rotate`. @returns `accepted`, or `refused` with the error's name */
  async tryToRotate(input: Partial<RotateSecretCommandInput> = {}): Promise<string> {
    try {
      await this.rotate(input);
      return 'accepted';
    } catch (error) {
      const { name } = error as Error;
      if (!REFUSALS.includes(name)) throw error;
      return `refused with ${name}`;
    }
  }

  /** Starts a rotation as it is configured. @returns as `tryToRotate` */
  rotateAgain(input: Partial<RotateSecretCommandInput> = {}): Promise<string> {
    return this.tryToRotate({ RotationLambdaARN: undefined, RotationRules: undefined, ...input });
  }

  /** @returns the version's id */
  async put(SecretString: string, ...VersionStages: string[]): Promise<string> {
    const { VersionId } = await this.#system.aws.secretsManager.send(
      new PutSecretValueCommand({
        ...{ SecretId: this.secretId, SecretString },
        ...(VersionStages.length > 0 && { VersionStages }),
      }),
    );
    return VersionId!;
  }

  describe(): Promise<DescribeSecretResponse> {
    return this.#system.aws.secretsManager.send(new DescribeSecretCommand({ SecretId: this.secretId }));
  }

  async labelsOf(versionId: string): Promise<readonly string[]> {
    return (await this.describe()).VersionIdsToStages?.[versionId] ?? [];
  }

  /** The version with a label. */
  async holderOf(label: string): Promise<string | undefined> {
    const { VersionIdsToStages = {} } = await this.describe();
    return Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]!.includes(label));
  }

  /** The steps so far, as the function has printed them. */
  async steps(): Promise<readonly SeenStep[]> {
    const found: SeenStep[] = [];
    const { logs: client } = this.#system.aws;
    for await (const { events = [] } of paginateFilterLogEvents(
      { client },
      { logGroupName: this.outputs.LogGroup },
    )) {
      for (const { message = '', timestamp = 0 } of events) {
        const [json] = /\{"step".*\}/.exec(message) ?? [];
        if (json !== undefined) found.push({ ...(JSON.parse(json) as SeenStep), atMs: timestamp });
      }
    }
    return found;
  }

  /** Waits for a step, and returns it; undefined if it did not come. */
  step(name: RotationStep, versionId?: string): Promise<SeenStep | undefined> {
    const look = async () =>
      (await this.steps()).find(
        ({ step, ...seen }) => step === name && (versionId ?? seen.versionId) === seen.versionId,
      );
    return this.#system.time.until(look, { withinSec: STEP_SEC });
  }

  /** Waits until a version is current. */
  async isCurrent(versionId: string): Promise<boolean> {
    const look = async () => ((await this.labelsOf(versionId)).includes('AWSCURRENT') ? true : undefined);
    return (await this.#system.time.until(look, { withinSec: STEP_SEC })) === true;
  }

  /** Waits until no version has AWSPENDING, as after a test of the configuration. */
  async isIdle(): Promise<boolean> {
    const look = async () => ((await this.holderOf('AWSPENDING')) === undefined ? true : undefined);
    return (await this.#system.time.until(look, { withinSec: STEP_SEC })) === true;
  }
}
