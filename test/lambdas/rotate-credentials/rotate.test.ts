import { CANDIDATE_LABEL, KIND_TAG, PROVEN_LABEL } from '../../../core/secrets/credential-labels';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { oauthError, tokenAnswer, type Turn } from '../../support/platform/credential-platform';
import { type ArrivedCommand, serviceException } from '../../support/aws/simulated-secrets-manager';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { TENANT_ID } from '../../support/lambdas/token-functions';
import { ArrangedRotation, idOf, ROTATION_CASES } from './rotation-cases';

const RUN = idOf('run');
const { state: BEFORE, after: AFTER } = ROTATION_CASES[0]!;

/** A rotation that succeeds. */
const rotating = () => new ArrangedRotation('api-key', BEFORE);

/** A rotation that is proven and only needs to be finished. */
async function finishing() {
  const { world } = rotating();
  for (const step of ['createSecret', 'testSecret'] as const) await world.step(step, RUN);
  world.secretsManager.commands.length = 0;
  return world;
}

const EVENT = { SecretId: 'arn', ClientRequestToken: 'run-1', Step: 'createSecret' };
const ALLOWED = {
  invalid_event: 'a string, as Secrets Manager sends it',
  unknown_step: 'createSecret, setSecret, testSecret, finishSecret',
};
test.each<[unknown, keyof typeof ALLOWED, string]>([
  [undefined, 'invalid_event', 'SecretId: found nothing'],
  [{ ...EVENT, ClientRequestToken: 7 }, 'invalid_event', 'ClientRequestToken: found a value of type number'],
  [{ ...EVENT, RotationToken: 7 }, 'invalid_event', 'RotationToken: found a value of type number'],
  [{ ...EVENT, Step: '' }, 'invalid_event', 'Step: found an empty string'],
  // As AWS's pages spell it.
  [{ ...EVENT, Step: 'create_secret' }, 'unknown_step', 'Step: found "create_secret"'],
  [{ ...EVENT, Step: 'x'.repeat(50) }, 'unknown_step', 'Step: found a text of 50 characters'],
])('the event %j is refused, and the error names the field', async (event, code, found) => {
  const { world } = rotating();
  const message = `${found}; allowed: ${ALLOWED[code]}`;

  expect(await world.invoke(event)).toMatchObject({ name: 'RotationError', code, message });

  expect(world.secretsManager.commands).toEqual([]);
  expect(world.metrics()).toEqual({ RotationFailed: 1 });
  expect(world.log.lines).toEqual([
    { level: 'error', message: 'rotation step failed', code, reason: message },
  ]);
});

test.each([
  ['goes with the value that createSecret writes, and nowhere else', '11111111-2222-4333-8444-canary555555'],
  ['that Secrets Manager does not send is not made up', null],
])('a rotation token %s', async (_, RotationToken) => {
  const { world } = rotating();

  expect(await world.invoke({ ...world.event('createSecret', RUN), RotationToken })).toBeUndefined();

  const [{ input }] = world.secretsManager.commandsOf('PutSecretValue') as [ArrivedCommand];
  expect([input.ClientRequestToken, input.RotationToken]).toEqual([RUN, RotationToken ?? undefined]);
  expect(JSON.stringify(world.visible())).not.toContain('canary555555');
});

describe('a foreign secret', () => {
  const NAME = 'latchkey/staging/mea/eu-west-2_Acme/api-key';

  test.each<[string, string, string | undefined]>([
    ['without the tag', NAME, undefined],
    ['tagged as the other kind', NAME, 'client-credentials'],
    ['of a tenant that is not declared', NAME.replace('Acme', 'Other'), 'api-key'],
    ['of another deployment', NAME.replace('mea', 'global'), 'api-key'],
  ])('%s is refused, after only a DescribeSecret', async (_, name, kind) => {
    const { world } = rotating();
    Object.assign(world.secret, { name, tags: kind === undefined ? {} : { [KIND_TAG]: kind } });

    expect(await world.invoke(world.event('finishSecret', RUN))).toMatchObject({
      code: 'foreign_secret',
      message:
        `found ${kind === undefined ? 'no tag latchkey:kind' : `latchkey:kind=${kind}`} on ${name}; allowed: ` +
        'latchkey:kind=client-credentials on latchkey/staging/mea/TENANT/client-credentials or ' +
        'latchkey:kind=api-key on latchkey/staging/mea/TENANT/api-key, of a tenant that the configuration declares, ' +
        'or on a secret that it adopts as that kind',
    });
    expect(world.secretsManager.commands.map(({ operation }) => operation)).toEqual(['DescribeSecret']);
    expect(world.metrics()).toEqual({ RotationFailed: 1 });
  });

  test('with the name of a tenant that adopted another secret is refused', async () => {
    const { world } = rotating();
    Object.assign(world.deployment.tenants[0]!, { adopted: { apiKey: `${world.secret.arn}-other` } });

    expect(await world.step('finishSecret', RUN)).toBe('foreign_secret');
  });
});

describe('Secrets Manager', () => {
  /** The calls of a successful run, and the one that promotes. */
  const CALLS = 16;
  const PROMOTION = 12;

  test.each([false, true])(
    'that fails at any call (after its effect: %s) fails the run, and a repetition has the normal result',
    async (isAfterEffect) => {
      for (let failing = 1; failing <= CALLS; failing += 1) {
        const arranged = rotating();
        const { secretsManager } = arranged.world;
        const { send } = secretsManager;
        let sent = 0;
        secretsManager.send = async (command) => {
          sent += 1;
          if (sent !== failing) return send(command);
          if (isAfterEffect) await send(command).catch(() => undefined);
          throw serviceException('ThrottlingException');
        };

        expect(await arranged.world.run(RUN)).toBe('store_unavailable');
        const counted = failing <= PROMOTION ? { RotationFailed: 1 } : { RotationSucceeded: 1 };
        expect([failing, arranged.world.metrics()]).toEqual([failing, counted]);
        expect(await arranged.world.run(RUN)).toBe('done');

        expect(arranged.state()).toBe(AFTER);
        expect(arranged.world.metrics()).toEqual({ ...counted, RotationSucceeded: 1 });
      }
    },
  );

  test('that fails is named in the reason, which says that the rotation is retried', async () => {
    const { world } = rotating();
    world.secretsManager.faults.push({ name: 'ThrottlingException' });

    expect(await world.invoke(world.event('createSecret', RUN))).toMatchObject({
      code: 'store_unavailable',
      message: `secretsmanager:DescribeSecret on ${world.secret.arn} failed: ThrottlingException; Secrets Manager retries the rotation`,
      cause: { code: 'throttled' },
    });
  });

  test('that reports a conflict for a move that succeeded does not fail the step', async () => {
    const world = await finishing();
    const { secretsManager } = world;
    // As in a retry of the SDK after the first attempt succeeded and its response was lost.
    secretsManager.meanwhile = ({ input }) => {
      if (input.VersionStage === 'AWSCURRENT') world.move('AWSCURRENT', RUN);
    };

    expect(await world.step('finishSecret', RUN)).toBe('done');

    expect(world.metrics()).toEqual({ RotationSucceeded: 1 });
    const moves = secretsManager.commandsOf('UpdateSecretVersionStage');
    expect(moves.filter(({ input }) => input.VersionStage === 'AWSCURRENT')).toHaveLength(1);
  });

  test('that shows the label on another version each time is given up after three moves', async () => {
    const world = await finishing();
    let others = 0;
    world.secretsManager.meanwhile = ({ input }) => {
      if (input.VersionStage === 'AWSCURRENT')
        world.put(idOf(`other${(others += 1)}`), 'value', 'AWSCURRENT');
    };

    const message = `another writer moved AWSCURRENT of ${world.secret.name} 3 times`;
    expect(await world.invoke(world.event('finishSecret', RUN))).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(message) as string,
    });

    expect(others).toBe(3);
    expect(world.holderOf(PROVEN_LABEL)).toBe(RUN);
  });
});

test('a candidate that is staged between the read and the release keeps its label', async () => {
  const arranged = rotating();
  const { world } = arranged;
  const newer = arranged.valueOf('newer');
  world.secretsManager.meanwhile = ({ input }) => {
    if (input.VersionStage === CANDIDATE_LABEL && input.MoveToVersionId === undefined) world.stage(newer);
  };

  expect(await world.run(RUN)).toBe('done');

  expect(world.valueAt(CANDIDATE_LABEL)).toBe(newer);
});

test.each(['run=- pending', 'old current, run=old pending'])(
  "AWS's test of the configuration (%s) asks nobody, counts nowhere and writes nothing",
  async (state) => {
    const { world } = new ArrangedRotation('client-credentials', state);
    const prove = jest.spyOn(world.proof, 'prove');

    expect(await world.step('testSecret', RUN)).toBe('done');

    expect(prove).not.toHaveBeenCalled();
    expect(world.metrics()).toEqual({});
    for (const { operation } of world.secretsManager.commands) expect(operation).toMatch(/^(Describe|Get)/);
  },
);

test('an unexpected error is thrown unchanged, and counted', async () => {
  const { world } = rotating();
  const bug = new TypeError('not a function');
  world.proof = { prove: () => Promise.reject(bug) };
  await world.step('createSecret', RUN);

  expect(await world.invoke(world.event('testSecret', RUN))).toBe(bug);

  expect(world.metrics()).toEqual({ RotationFailed: 1 });
});

describe('client credentials of a tenant with several tokens', () => {
  /** A rotation whose platform answers requests for `api/write` in another way. */
  function rotatingWith(forWrite: Turn) {
    const arranged = new ArrangedRotation('client-credentials', BEFORE);
    const { platform, deployment } = arranged.world;
    deployment.tenants[0]!.tokens.push(
      { interface: 'content', scope: 'api/write' },
      { interface: 'webhooks', scope: 'api/webhooks' },
    );
    platform.trouble = (issue) =>
      (platform.requestedScopes.at(-1) === 'api/write' ? forWrite : tokenAnswer())(issue);
    return arranged;
  }

  test('that lack a scope are not promoted, and the version names the scope until another test grants it', async () => {
    const arranged = rotatingWith(() => oauthError(400, 'invalid_scope'));
    const { world } = arranged;

    expect(await world.run(RUN)).toBe('candidate_refused');

    expect(arranged.state()).toBe(
      'old current, new candidate, run=new pending LATCHKEY_LACKS_content/api-write refused',
    );
    expect(world.log.lines.at(-1)!.reason).toContain(
      `the platform refused the candidate in ${world.secret.name}: it lacks content api/write: `,
    );
    expect(world.metrics()).toEqual({ RotationRefused: 1 });
    world.platform.trouble = undefined;
    expect(await world.run(RUN)).toBe('done');
    expect(arranged.state()).toBe(AFTER);
  });

  test('that cannot be tested for one scope are not promoted', async () => {
    const arranged = rotatingWith(() => oauthError(503));

    expect(await arranged.world.run(RUN)).toBe('could_not_test');

    expect(arranged.state()).toContain('run=new pending untested');
  });
});

test('the proof ends early enough to label its outcome', async () => {
  const { world } = rotating();
  const prove = jest.spyOn(world.proof, 'prove');
  const startMs = world.clock.monotonicMs();

  await world.run(RUN);

  expect(prove.mock.calls.map(([tenant, , deadlineMs]) => [tenant.tenantId, deadlineMs - startMs])).toEqual([
    ['eu-west-2_Acme', 50_500],
  ]);
});

test('remembers only the latest of many runs', () => {
  const metrics = new CountingMetrics();
  const counted = new CountedRuns();

  for (let run = 0; run < 1_001; run += 1) counted.count(`run-${run}`, 'RotationFailed', metrics);
  for (const run of [1, 1_000]) counted.count(`run-${run}`, 'RotationFailed', metrics);
  expect(metrics.counts).toEqual({ RotationFailed: 1_001 });
  counted.count('run-0', 'RotationFailed', metrics);
  expect(metrics.counts).toEqual({ RotationFailed: 1_002 });
});

test('the event of a rotation is sent once the version is current, and again if the step is repeated', async () => {
  const { world } = rotating();
  const credentialChanged = jest.fn();
  const events = { tokenRenewed: () => undefined, credentialChanged, settle: () => Promise.resolve() };
  world.between = (ports) => ({ ...ports, events });

  for (const step of ['createSecret', 'finishSecret', 'testSecret'] as const) await world.step(step, RUN);
  expect(credentialChanged).not.toHaveBeenCalled();
  await world.step('finishSecret', RUN);
  await world.step('finishSecret', RUN);

  const { arn: secretArn } = world.secret;
  const change = { tenantId: TENANT_ID, credential: 'api-key', secretArn, versionId: RUN };
  const sent = ['Credential Rotated', change];
  expect(credentialChanged.mock.calls).toEqual([sent, sent]);
});
