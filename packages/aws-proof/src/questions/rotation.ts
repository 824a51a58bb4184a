import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  type RotateSecretCommandInput,
} from '@aws-sdk/client-secrets-manager';

import { type AwsClients } from '../clients';
import { changeOf, type ProvenRun } from '../proven-run';
import { answer, notRun, outcomeOf, type Question } from '../question';

const ROTATE = 'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html';
/** How long Secrets Manager takes, at most, until the steps of a rotation have run. */
const ROTATED_SEC = 180;

/** What questions do with the client credentials of the second tenant, which the main job leaves alone. */
function rotated(run: ProvenRun) {
  const tenant = run.tenants[1]!;
  const SecretId = tenant.secretName('client-credentials');
  const describe = () => run.aws.secretsManager.send(new DescribeSecretCommand({ SecretId }));
  const holderOf = async (label: string) => {
    const { VersionIdsToStages = {} } = await describe();
    return Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]!.includes(label));
  };
  return {
    describe,
    /** The version with a label. */
    holderOf,
    /** Loads new credentials, which Latchkey's own function rotates. @returns whether that succeeded */
    load: async () => changeOf(await tenant.loadNew('client-credentials')) === 'exit code 0, promoted',
    /** Puts the current value once more, as by hand. */
    putByHand: async () => {
      const { SecretString } = await run.aws.secretsManager.send(new GetSecretValueCommand({ SecretId }));
      await run.aws.secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }));
    },
    /** Asks for a rotation, without a candidate. @returns `accepted`, or the name of the error */
    rotate: ({ aws = run.aws, ...input }: Partial<RotateSecretCommandInput> & { aws?: AwsClients } = {}) =>
      outcomeOf(aws.secretsManager.send(new RotateSecretCommand({ SecretId, ...input }))),
    /** Waits until no version but the current one is pending. */
    isIdle: async () => {
      const look = async () => {
        const pending = await holderOf('AWSPENDING');
        return pending === undefined || pending === (await holderOf('AWSCURRENT')) || undefined;
      };
      return (await run.time.until(look, { withinSec: ROTATED_SEC })) === true;
    },
  };
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
    const secret = rotated(run);
    if (!(await secret.load())) return notRun('the rotation did not succeed');
    const first = await secret.holderOf('AWSCURRENT');
    const isKept = (await secret.holderOf('AWSPENDING')) === first;
    await secret.putByHand();
    const byHand = await secret.holderOf('AWSCURRENT');
    const next = await secret.rotate();
    const isIdle = await secret.isIdle();
    const isCurrent = (await secret.holderOf('AWSCURRENT')) === byHand;
    return answer(
      isCurrent && byHand !== first && (isIdle || next !== 'accepted'),
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
    const secret = rotated(run);
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
    const secret = rotated(run);
    const aws = await run.as('Operator');
    const withRules = await secret.rotate({ aws, RotationRules: { AutomaticallyAfterDays: 1 } });
    const asConfigured = await secret.rotate({ aws });
    await secret.isIdle();
    return answer(
      withRules === 'AccessDeniedException' && asConfigured === 'accepted',
      `with other rules: ${withRules}; as configured: ${asConfigured}`,
    );
  },
};

export const ROTATION_QUESTIONS = [rotationRules, rotationGivenUp, pendingAfterSuccess];
