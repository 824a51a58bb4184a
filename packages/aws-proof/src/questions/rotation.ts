import { RotateSecretCommand, type RotateSecretCommandInput } from '@aws-sdk/client-secrets-manager';

import { type AwsClients } from '../clients';
import { type ProvenRun } from '../proven-run';
import { changeOf, PROMOTED } from '../proven-tenant';
import { compare, notRun, outcomeOf, type Question } from '../question';
import { secretAt } from '../secret';

const ROTATE = 'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html';
/** How long Secrets Manager takes, at most, until the steps of a rotation have run. */
const ROTATED_SEC = 180;

/** The client credentials of the second tenant, which the main job leaves alone, and how to rotate them. */
function rotatableSecret(run: ProvenRun) {
  const tenant = run.tenants[1]!;
  const secret = secretAt(run, tenant.secretName('client-credentials'));
  return {
    ...secret,
    /** Loads new credentials, which Latchkey's own function rotates. */
    load: async () => changeOf(await tenant.loadNew('client-credentials')),
    /** Asks for a rotation, without a candidate. @returns `accepted`, or the name of the error */
    rotate: ({ aws = run.aws, ...input }: Partial<RotateSecretCommandInput> & { aws?: AwsClients } = {}) =>
      outcomeOf(aws.secretsManager.send(new RotateSecretCommand({ SecretId: secret.id, ...input }))),
    /** Waits until no version but the current one is pending. */
    whenIdle: () => {
      const look = async () => {
        const pending = await secret.holderOf('AWSPENDING');
        return pending === undefined || pending === (await secret.holderOf('AWSCURRENT'))
          ? 'idle'
          : 'pending';
      };
      return run.settle(look, 'idle', { withinSec: ROTATED_SEC });
    },
  };
}

const WATCHED_SEC = 120;

export const ROTATION_QUESTIONS: readonly Question[] = [
  {
    id: 'rotation-rules',
    subject: '`secretsmanager:ModifyRotationRules` of a RotateSecret with rules, and of one without',
    reliedOn: '`true` with rules; without them, absent or `false`',
    promise: 'operators rotate credentials, and cannot change when and by which function they are rotated',
    pages: [
      'https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html#awssecretsmanager-policy-keys',
    ],
    async ask(run) {
      const secret = rotatableSecret(run);
      const aws = await run.as('Operator');
      const withRules = await secret.rotate({ aws, RotationRules: { AutomaticallyAfterDays: 1 } });
      const asConfigured = await secret.rotate({ aws });
      await secret.whenIdle();
      return compare({
        'with other rules': [withRules, 'AccessDeniedException'],
        'as configured': [asConfigured, 'accepted'],
      });
    },
  },
  {
    id: 'rotation-given-up',
    subject: 'A rotation without a candidate, whose createSecret fails and removes `AWSPENDING`',
    reliedOn:
      'no version stays pending, even if Secrets Manager puts `AWSPENDING` back for a while, and another rotation can start',
    promise: 'a rotation that somebody or a schedule starts without a candidate does no harm',
    pages: [ROTATE, 'https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot_rotation.html'],
    async ask(run) {
      const secret = rotatableSecret(run);
      const current = await secret.holderOf('AWSCURRENT');
      const first = await secret.rotate();
      if (first !== 'accepted') return notRun(`RotateSecret: ${first}`);
      await run.time.pass(WATCHED_SEC);
      return compare({
        [`after ${WATCHED_SEC / 60} min`]: [await secret.whenIdle(), 'idle'],
        'the same version is current': (await secret.holderOf('AWSCURRENT')) === current,
        'next rotation': [await secret.load(), PROMOTED],
      });
    },
  },
  {
    id: 'pending-after-success',
    subject: '`AWSPENDING` after a rotation that succeeded, and after a value was then put by hand',
    reliedOn:
      'it is removed, or stays on the version that was current; the next rotation can start and does not make that one current',
    promise: 'a rotation never undoes a value that was written by hand',
    pages: [ROTATE, 'https://github.com/aws-samples/aws-secrets-manager-rotation-lambdas/pull/145'],
    async ask(run) {
      const secret = rotatableSecret(run);
      const loaded = await secret.load();
      if (loaded !== PROMOTED) return notRun(`the rotation ended with ${loaded}`);
      const first = await secret.holderOf('AWSCURRENT');
      const isKept = (await secret.holderOf('AWSPENDING')) === first;
      const byHand = await secret.put((await secret.read()).SecretString);
      const next = await secret.rotate();
      const idle = await secret.whenIdle();
      const current = await secret.holderOf('AWSCURRENT');
      return compare({
        AWSPENDING: [isKept ? 'stayed on the current version' : 'was removed'],
        // Refused, or accepted and ended.
        'RotateSecret after a value put by hand': [`${next}, then ${idle}`, /^(?!accepted)|idle$/],
        'the value by hand is still current': current === byHand,
      });
    },
  },
];
