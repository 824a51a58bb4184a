import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  type RotateSecretCommandInput,
} from '@aws-sdk/client-secrets-manager';

import { changeOf, type ProvenRun } from '../proven-run';
import { answer, notRun, outcomeOf, type Question } from '../question';

const ROTATE = 'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html';
/** How long Secrets Manager takes, at most, until the steps of a rotation have run. */
const ROTATED_SEC = 180;

/** The client credentials of the second tenant, which the main job leaves alone. */
class Rotated {
  readonly #run: ProvenRun;
  readonly #secretId: string;

  constructor(run: ProvenRun) {
    this.#run = run;
    this.#secretId = run.tenants[1]!.secretName('client-credentials');
  }

  describe() {
    return this.#run.aws.secretsManager.send(new DescribeSecretCommand({ SecretId: this.#secretId }));
  }

  /** The version with a label. */
  async holderOf(label: string): Promise<string | undefined> {
    const { VersionIdsToStages = {} } = await this.describe();
    return Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]!.includes(label));
  }

  /** Loads new credentials, which Latchkey's own function rotates. @returns whether that succeeded, and the label is where it stays */
  async load(): Promise<boolean> {
    const change = changeOf(await this.#run.tenants[1]!.loadNew('client-credentials'));
    return change === 'exit code 0, promoted';
  }

  /** Puts the current value once more, as by hand. */
  async putByHand(): Promise<void> {
    const { secretsManager } = this.#run.aws;
    const { SecretString } = await secretsManager.send(
      new GetSecretValueCommand({ SecretId: this.#secretId }),
    );
    await secretsManager.send(new PutSecretValueCommand({ SecretId: this.#secretId, SecretString }));
  }

  /** Asks for a rotation, without a candidate. @returns `accepted`, or the name of the error */
  rotate(input: Partial<RotateSecretCommandInput> = {}, aws = this.#run.aws): Promise<string> {
    return outcomeOf(
      aws.secretsManager.send(new RotateSecretCommand({ SecretId: this.#secretId, ...input })),
    );
  }

  /** Waits until no version but the current one is pending. */
  async isIdle(): Promise<boolean> {
    const look = async () => {
      const pending = await this.holderOf('AWSPENDING');
      return pending === undefined || pending === (await this.holderOf('AWSCURRENT')) ? true : undefined;
    };
    return (await this.#run.time.until(look, { withinSec: ROTATED_SEC })) === true;
  }
}

const pendingAfterSuccess: Question = {
  id: 'pending-after-success',
  subject: '`AWSPENDING` after a rotation that succeeded, and after a value was then put by hand',
  reliedOn:
    'it is removed, or stays on the version that was current; the next rotation can start and does not make that one current',
  promise: 'a rotation never undoes a value that was written by hand',
  otherwise: 'credentials that somebody replaced come back',
  pages: [ROTATE, 'https://github.com/aws-samples/aws-secrets-manager-rotation-lambdas/pull/145'],
  async ask(run) {
    const secret = new Rotated(run);
    if (!(await secret.load())) return notRun('the rotation did not succeed');
    const rotated = await secret.holderOf('AWSCURRENT');
    const isKept = (await secret.holderOf('AWSPENDING')) === rotated;
    await secret.putByHand();
    const byHand = await secret.holderOf('AWSCURRENT');
    const next = await secret.rotate();
    const isIdle = await secret.isIdle();
    const isCurrent = (await secret.holderOf('AWSCURRENT')) === byHand;
    return answer(
      isCurrent && byHand !== rotated && (isIdle || next !== 'accepted'),
      [
        `AWSPENDING ${isKept ? 'stayed on the current version' : 'was removed'}`,
        `after a value put by hand, RotateSecret: ${next}`,
        `the value by hand is ${isCurrent ? 'still' : 'no longer'} current`,
      ].join('; '),
    );
  },
};

const WATCHED_SEC = 120;

const rotationGivenUp: Question = {
  id: 'rotation-given-up',
  subject: 'A rotation without a candidate, whose createSecret fails and removes `AWSPENDING`',
  reliedOn: 'Secrets Manager does not make it pending again for good, and another rotation can start',
  promise: 'a rotation that somebody or a schedule starts without a candidate does no harm',
  otherwise: 'operators cannot rotate afterwards',
  pages: [ROTATE, 'https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot_rotation.html'],
  async ask(run) {
    const secret = new Rotated(run);
    const current = await secret.holderOf('AWSCURRENT');
    const first = await secret.rotate();
    if (first !== 'accepted') return notRun(`RotateSecret: ${first}`);
    await run.time.pass(WATCHED_SEC);
    const isIdle = await secret.isIdle();
    const isCurrent = (await secret.holderOf('AWSCURRENT')) === current;
    const next = await secret.load();
    return answer(
      isIdle && isCurrent && next,
      `after ${WATCHED_SEC / 60} min, AWSPENDING is ${isIdle ? 'gone' : 'still there'}; the next rotation ${next ? 'succeeds' : 'fails'}`,
    );
  },
};

const PAUSE_SEC = 60;

const lastRotatedDate: Question = {
  id: 'last-rotated-date',
  subject: '`LastRotatedDate` when a value is put by hand',
  reliedOn: 'only a finished rotation changes it',
  promise: 'the previous API key works for its grace period, and no longer',
  otherwise: 'the grace period of a previous API key starts later than it should',
  pages: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html'],
  async ask(run) {
    const secret = new Rotated(run);
    const rotatedAt = await run.time.until(async () => (await secret.describe()).LastRotatedDate, {
      withinSec: PAUSE_SEC,
    });
    if (rotatedAt === undefined) return notRun('no LastRotatedDate after a rotation');
    await run.time.pass(PAUSE_SEC);
    await secret.putByHand();
    const { LastRotatedDate: after } = await secret.describe();
    const isSame = after?.getTime() === rotatedAt.getTime();
    return answer(isSame, `${isSame ? 'the same' : 'another'} date after a value was put by hand`);
  },
};

const rotationRules: Question = {
  id: 'rotation-rules',
  subject: '`secretsmanager:ModifyRotationRules` of a RotateSecret with rules, and of one without',
  reliedOn: '`true` with rules; without them, absent or `false`',
  promise: 'operators rotate credentials, and cannot change when and by which function they are rotated',
  otherwise: 'operators cannot rotate, or can have any function read a credential',
  pages: [
    'https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html#awssecretsmanager-policy-keys',
  ],
  async ask(run) {
    const secret = new Rotated(run);
    const operator = await run.as('Operator');
    const withRules = await secret.rotate({ RotationRules: { AutomaticallyAfterDays: 1 } }, operator);
    const asConfigured = await secret.rotate({}, operator);
    await secret.isIdle();
    return answer(
      withRules === 'AccessDeniedException' && asConfigured === 'accepted',
      `with other rules: ${withRules}; as configured: ${asConfigured}`,
    );
  },
};

export const ROTATION_QUESTIONS = [rotationRules, rotationGivenUp, pendingAfterSuccess, lastRotatedDate];
