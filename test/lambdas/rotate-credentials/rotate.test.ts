import { CANDIDATE_LABEL, KIND_TAG, PROVEN_LABEL } from '../../../core/secrets/credential-labels';
import { CREDENTIAL_KINDS } from '../../../core/secrets/secret-names';
import { type ChangeEvents } from '../../../lambdas/shared/ports';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { oauthError, tokenAnswer, type Turn } from '../../support/platform/credential-platform';
import { serviceException } from '../../support/aws/simulated-secrets-manager';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { TENANT_ID } from '../../support/lambdas/token-functions';
import { ArrangedRotation, idOf, ROTATION_CASES } from './rotation-cases';
import { RotationWorld } from './rotation-world';

const RUN = idOf('run');
const [SUCCESS] = ROTATION_CASES;

/** A rotation that succeeds. */
const rotating = () => new ArrangedRotation(new RotationWorld('api-key'), SUCCESS!);

/** A rotation that is proven and only needs to be finished. */
async function finishing() {
  const arranged = rotating();
  for (const step of ['createSecret', 'testSecret'] as const) await arranged.world.step(step, RUN);
  arranged.world.secretsManager.commands.length = 0;
  return arranged;
}

describe('an event', () => {
  const event = { SecretId: 'arn', ClientRequestToken: 'run-1', Step: 'createSecret' };
  const wantsString = 'allowed: a string, as Secrets Manager sends it';

  test.each<[string, unknown, string, string]>([
    ['that is undefined', undefined, 'invalid_event', `SecretId: found nothing; ${wantsString}`],
    ['that is null', null, 'invalid_event', `SecretId: found nothing; ${wantsString}`],
    [
      'without a secret',
      { ...event, SecretId: undefined },
      'invalid_event',
      `SecretId: found nothing; ${wantsString}`,
    ],
    [
      'with a token that is a number',
      { ...event, ClientRequestToken: 7 },
      'invalid_event',
      `ClientRequestToken: found a value of type number; ${wantsString}`,
    ],
    [
      'with an empty step',
      { ...event, Step: '' },
      'invalid_event',
      `Step: found an empty string; ${wantsString}`,
    ],
    [
      "with a step as AWS's pages spell it",
      { ...event, Step: 'create_secret' },
      'unknown_step',
      'Step: found "create_secret"; allowed: createSecret, setSecret, testSecret, finishSecret',
    ],
    [
      'with a long step',
      { ...event, Step: 'x'.repeat(50) },
      'unknown_step',
      'Step: found a text of 50 characters; allowed: createSecret, setSecret, testSecret, finishSecret',
    ],
  ])('%s is refused, and the error names the field', async (_, given, code, message) => {
    const { world } = rotating();

    expect(await world.invoke(given)).toMatchObject({ name: 'RotationError', code, message });

    expect(world.secretsManager.commands).toEqual([]);
    expect(world.metrics()).toEqual({ RotationFailed: 1 });
    expect(world.log.lines).toEqual([
      { level: 'error', message: 'rotation step failed', code, reason: message },
    ]);
  });
});

describe('a rotation token', () => {
  const ROTATION_TOKEN = '11111111-2222-4333-8444-canary555555';
  const created = async (more: object) => {
    const { world } = rotating();
    const { arn } = world.secret;
    const error = await world.invoke({
      SecretId: arn,
      ClientRequestToken: RUN,
      Step: 'createSecret',
      ...more,
    });
    return { world, error };
  };

  test('goes with the value that createSecret writes, and nowhere else', async () => {
    const { world, error } = await created({ RotationToken: ROTATION_TOKEN });

    expect(error).toBeUndefined();
    const [put] = world.secretsManager.commandsOf('PutSecretValue');
    expect(put!.input).toMatchObject({ RotationToken: ROTATION_TOKEN, ClientRequestToken: RUN });
    expect(JSON.stringify(world.visible())).not.toContain('canary555555');
  });

  test.each([{}, { RotationToken: undefined }, { RotationToken: null }])(
    'that Secrets Manager does not send (%j) is not made up',
    async (more) => {
      const { world, error } = await created(more);

      expect(error).toBeUndefined();
      expect(world.secretsManager.commandsOf('PutSecretValue')[0]!.input.RotationToken).toBeUndefined();
    },
  );

  test('that is no text is refused without being repeated', async () => {
    const { error } = await created({ RotationToken: 7 });

    expect(error).toMatchObject({
      code: 'invalid_event',
      message: 'RotationToken: found a value of type number; allowed: a string, as Secrets Manager sends it',
    });
  });
});

describe('a foreign secret', () => {
  const NAME = 'latchkey/staging/mea/eu-west-2_Acme/api-key';

  test.each<[string, string, Record<string, string>, string]>([
    ['without the tag', NAME, {}, 'no tag latchkey:kind'],
    [
      'tagged as the other kind',
      NAME,
      { [KIND_TAG]: 'client-credentials' },
      'latchkey:kind=client-credentials',
    ],
    ['tagged as an unknown kind', NAME, { [KIND_TAG]: 'token' }, 'latchkey:kind=token'],
    [
      'of a tenant that is not declared',
      NAME.replace('Acme', 'Other'),
      { [KIND_TAG]: 'api-key' },
      'latchkey:kind=api-key',
    ],
    [
      'of another deployment',
      NAME.replace('mea', 'global'),
      { [KIND_TAG]: 'api-key' },
      'latchkey:kind=api-key',
    ],
    ['with a longer name', `${NAME}/more`, { [KIND_TAG]: 'api-key' }, 'latchkey:kind=api-key'],
  ])('%s is refused at every step, after only a DescribeSecret', async (_, name, tags, found) => {
    const { world } = rotating();
    Object.assign(world.secret, { name, tags });

    const error = await world.invoke({
      SecretId: world.secret.arn,
      ClientRequestToken: RUN,
      Step: 'finishSecret',
    });

    expect(error).toMatchObject({
      code: 'foreign_secret',
      message:
        `found ${found} on ${name}; allowed: ` +
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

    const request = { SecretId: world.secret.arn, ClientRequestToken: RUN, Step: 'finishSecret' };

    await expect(world.invoke(request)).resolves.toMatchObject({ code: 'foreign_secret' });
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

        expect(arranged.versions()).toEqual(SUCCESS!.after);
        expect(arranged.world.metrics()).toEqual({ ...counted, RotationSucceeded: 1 });
      }
    },
  );

  test('that fails is named in the reason, which says that the rotation is retried', async () => {
    const { world } = rotating();
    world.secretsManager.faults.push({ name: 'ThrottlingException' });
    const { arn } = world.secret;

    const error = await world.invoke({ SecretId: arn, ClientRequestToken: RUN, Step: 'createSecret' });

    expect(error).toMatchObject({
      code: 'store_unavailable',
      message: `secretsmanager:DescribeSecret on ${arn} failed: ThrottlingException; Secrets Manager retries the rotation`,
      cause: { code: 'throttled' },
    });
  });

  test('that reports a conflict for a move that succeeded does not fail the step', async () => {
    const { world } = await finishing();
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
    const { world } = await finishing();
    let others = 0;
    world.secretsManager.meanwhile = ({ input }) => {
      if (input.VersionStage === 'AWSCURRENT')
        world.put(idOf(`other${(others += 1)}`), 'value', 'AWSCURRENT');
    };

    const event = { SecretId: world.secret.arn, ClientRequestToken: RUN, Step: 'finishSecret' };
    expect(await world.invoke(event)).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(
        `another writer moved AWSCURRENT of ${world.secret.name} 3 times`,
      ) as string,
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

test.each(CREDENTIAL_KINDS)(
  "AWS's test of the configuration of %s asks nobody, counts nowhere and writes nothing",
  async (kind) => {
    for (const versions of [['run = - AWSPENDING'], ['old = old AWSCURRENT', 'run = old AWSPENDING']]) {
      const { world } = new ArrangedRotation(new RotationWorld(kind), { versions });
      const prove = jest.spyOn(world.proof, 'prove');

      expect(await world.step('testSecret', RUN)).toBe('done');

      expect(prove).not.toHaveBeenCalled();
      expect(world.metrics()).toEqual({});
      const operations = world.secretsManager.commands.map(({ operation }) => operation);
      expect(operations.filter((operation) => !/^(Describe|Get)/.test(operation))).toEqual([]);
    }
  },
);

test('an unexpected error is thrown unchanged, and counted', async () => {
  const { world } = rotating();
  const bug = new TypeError('not a function');
  world.versionsPort.describe = () => Promise.reject(bug);

  expect(await world.invoke({ SecretId: 'arn', ClientRequestToken: RUN, Step: 'setSecret' })).toBe(bug);

  expect(world.metrics()).toEqual({ RotationFailed: 1 });
});

describe('client credentials of a tenant with several tokens', () => {
  /** A rotation whose platform answers requests for `api/write` in another way. */
  function rotatingWith(forWrite: Turn) {
    const arranged = new ArrangedRotation(new RotationWorld('client-credentials'), SUCCESS!);
    const { platform, deployment } = arranged.world;
    deployment.tenants[0]!.tokens.push(
      { interface: 'content', scope: 'api/write' },
      { interface: 'webhooks', scope: 'api/webhooks' },
    );
    platform.trouble = (issue) =>
      (platform.requestedScopes.at(-1) === 'api/write' ? forWrite : tokenAnswer())(issue);
    return arranged;
  }
  const LACKS = 'LATCHKEY_LACKS_content/api-write';

  test('that lack a scope are not promoted, and the version names the scope until another test grants it', async () => {
    const arranged = rotatingWith(() => oauthError(400, 'invalid_scope'));
    const { world } = arranged;

    expect(await world.run(RUN)).toBe('candidate_refused');

    expect(arranged.versions()).toEqual([
      'old = old AWSCURRENT',
      'new = new LATCHKEY_CANDIDATE',
      `run = new AWSPENDING ${LACKS} LATCHKEY_REFUSED`,
    ]);
    expect(world.log.lines.at(-1)!.reason).toContain(
      `the platform refused the candidate in ${world.secret.name}: it lacks content api/write: `,
    );
    expect(world.metrics()).toEqual({ RotationRefused: 1 });
    world.platform.trouble = undefined;
    expect(await world.run(RUN)).toBe('done');
    expect(arranged.versions()).toEqual(SUCCESS!.after);
  });

  test('that cannot be tested for one scope are not promoted', async () => {
    const arranged = rotatingWith(() => oauthError(503));

    expect(await arranged.world.run(RUN)).toBe('could_not_test');

    expect(arranged.versions()).toContain('run = new AWSPENDING LATCHKEY_UNTESTED');
  });

  test('that lack a scope lose its label with the rotation that is given up', async () => {
    const arranged = rotatingWith(() => oauthError(400, 'invalid_scope'));
    const { world } = arranged;
    await world.run(RUN);
    world.stage(arranged.valueOf('newer'));

    expect(await world.run(RUN)).toBe('not_pending');

    expect(arranged.versions()).toContain('run = new');
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

describe('the event of a rotation', () => {
  const told: unknown[][] = [];
  const events: ChangeEvents = {
    tokenRenewed: () => undefined,
    credentialChanged: (...change) => void told.push(change),
    settle: () => Promise.resolve(),
  };
  beforeEach(() => told.splice(0));

  test('is sent once the version is current, and again if the step is repeated', async () => {
    const { world } = rotating();
    world.between = (ports) => ({ ...ports, events });

    for (const step of ['createSecret', 'testSecret'] as const) await world.step(step, RUN);
    expect(told).toEqual([]);
    await world.step('finishSecret', RUN);
    await world.step('finishSecret', RUN);

    const { arn } = world.secret;
    const change = { tenantId: TENANT_ID, credential: 'api-key', secretArn: arn, versionId: RUN };
    expect(told).toEqual([
      ['Credential Rotated', change],
      ['Credential Rotated', change],
    ]);
  });

  test('is not sent for a credential that is not proven', async () => {
    const { world } = rotating();
    world.between = (ports) => ({ ...ports, events });
    await world.step('createSecret', RUN);

    expect(await world.step('finishSecret', RUN)).toBe('not_proven');

    expect(told).toEqual([]);
  });
});
