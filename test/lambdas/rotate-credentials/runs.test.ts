import {
  CANDIDATE_LABEL,
  OUTCOME_LABELS,
  PROVEN_LABEL,
  REFUSED_LABEL,
  UNTESTED_LABEL,
} from '../../../contract/credential-labels';
import { ROTATION_STEPS } from '../../../contract/rotation';
import { CREDENTIAL_KINDS } from '../../../contract/secret-names';
import { RotationFunctions, valueOf } from '../../support/lambdas/rotation-functions';

describe.each(CREDENTIAL_KINDS)('%s', (kind) => {
  test('a run promotes the staged value, keeps the old one as previous, and releases the candidate', async () => {
    const functions = RotationFunctions.rotating(kind);
    const { secret, metrics, log } = functions;

    expect(await functions.run()).toBe('done');

    expect(secret.versions()).toEqual([
      { versionId: 'version-old', labels: ['AWSPREVIOUS'], value: valueOf(kind, 'old') },
      { versionId: 'version-new', labels: [], value: valueOf(kind, 'new') },
      { versionId: 'run-1', labels: ['AWSCURRENT', PROVEN_LABEL], value: valueOf(kind, 'new') },
    ]);
    expect(metrics.counts).toEqual({ RotationSucceeded: 1 });
    const fields = { tenantId: 'eu-west-2_Acme', credential: kind };
    expect(log.lines).toEqual(
      ROTATION_STEPS.map((step) => ({ level: 'info', message: 'rotation step done', step, ...fields })),
    );
  });

  test.each([
    ['refuse', 'candidate_refused', REFUSED_LABEL, { RotationRefused: 1 }],
    ['fail', 'could_not_test', UNTESTED_LABEL, { RotationUntested: 1 }],
  ] as const)(
    'a run that the platform makes %s stays %s, is counted once however often it is repeated, and may still succeed',
    async (how, code, label, counts) => {
      const functions = RotationFunctions.rotating(kind);
      const { secret, metrics, proof } = functions;
      proof[how]('new');

      for (let repetition = 0; repetition < 5; repetition += 1) expect(await functions.run()).toBe(code);

      expect(metrics.counts).toEqual(counts);
      expect(secret.valueAt('AWSCURRENT')).toBe(valueOf(kind, 'old'));
      expect(secret.holderOf('AWSPENDING')).toBe('run-1');
      expect(OUTCOME_LABELS.filter((each) => secret.holderOf(each) === 'run-1')).toEqual([label]);
      expect(secret.holderOf(CANDIDATE_LABEL)).toBe('version-new');

      proof.accept('new');
      expect(await functions.run()).toBe('done');
      expect(OUTCOME_LABELS.filter((each) => secret.holderOf(each) === 'run-1')).toEqual([PROVEN_LABEL]);
      expect(metrics.counts).toEqual({ ...counts, RotationSucceeded: 1 });
    },
  );

  test('what was proven by a run that was broken off is proven again before it is promoted', async () => {
    const functions = RotationFunctions.rotating(kind);
    const { secret, proof } = functions;
    for (const step of ['createSecret', 'testSecret'] as const) await functions.step(step);
    expect(secret.holderOf(PROVEN_LABEL)).toBe('run-1');
    proof.refuse('new');

    expect(await functions.run()).toBe('candidate_refused');

    expect(OUTCOME_LABELS.filter((each) => secret.holderOf(each) === 'run-1')).toEqual([REFUSED_LABEL]);
    expect(secret.valueAt('AWSCURRENT')).toBe(valueOf(kind, 'old'));
  });

  test('a run of what is no such credential is labelled refused, so that nobody waits for it', async () => {
    const functions = RotationFunctions.rotating(kind);
    functions.secret.stage('version-odd', 'kept-secret-of-odd');

    expect(await functions.run()).toBe('candidate_malformed');

    expect(functions.secret.holderOf(REFUSED_LABEL)).toBe('run-1');
    expect(functions.secret.valueAt('AWSCURRENT')).toBe(valueOf(kind, 'old'));
  });

  test('a scheduled run without a candidate says which command gets one, and counts as nothing else', async () => {
    const functions = RotationFunctions.rotating(kind);
    functions.secret.move(CANDIDATE_LABEL, undefined);

    expect(await functions.run()).toBe('candidate_missing');

    expect(functions.metrics.counts).toEqual({ RotationCandidateMissing: 1 });
    const command = kind === 'api-key' ? 'latchkey api-key put' : 'latchkey credentials put';
    expect(functions.log.lines.at(-1)).toMatchObject({
      level: 'error',
      code: 'candidate_missing',
      reason: expect.stringContaining(
        `run ${command} --environment staging --platform-region mea --tenant eu-west-2_Acme`,
      ) as string,
    });
  });

  test.each(['version-same', 'version-old'])(
    'a candidate that is current already loses its label, be it %s',
    async (versionId) => {
      const functions = RotationFunctions.rotating(kind);
      const { secret } = functions;
      // Written otherwise, it is the same credential.
      if (versionId === 'version-same') secret.stage(versionId, ` ${valueOf(kind, 'old')}`);
      else secret.move(CANDIDATE_LABEL, versionId);

      expect(await functions.outcomeOf('createSecret')).toBe('candidate_is_current');

      expect(secret.holderOf(CANDIDATE_LABEL)).toBeUndefined();
      expect(secret.valueAt('AWSPENDING')).toBeUndefined();
      expect(functions.metrics.counts).toEqual({});
    },
  );

  test.each(['nothing is loaded', 'a value is current'])(
    "AWS's test of the configuration passes where %s, asks nobody, and counts nowhere",
    async (state) => {
      const functions = new RotationFunctions(kind);
      if (state === 'a value is current') functions.secret.put('version-old', valueOf(kind, 'old'), []);
      functions.secret.put('test-1', undefined, ['AWSPENDING']);

      await functions.step('testSecret', 'test-1');

      expect(functions.proof.asked).toEqual([]);
      expect(functions.metrics.counts).toEqual({});
      expect(functions.secret.calls.filter((call) => /put|move/.test(call))).toEqual([]);
    },
  );

  test('a newer candidate that was staged during the run stays', async () => {
    const functions = RotationFunctions.rotating(kind);
    const { secret } = functions;
    await functions.step('createSecret');
    secret.stage('version-newer', valueOf(kind, 'newer'));

    expect(await functions.run()).toBe('done');

    expect(secret.valueAt('AWSCURRENT')).toBe(valueOf(kind, 'new'));
    expect(secret.holderOf(CANDIDATE_LABEL)).toBe('version-newer');
  });

  test('a candidate that is staged between the look and the release stays', async () => {
    const functions = RotationFunctions.rotating(kind);
    const { secret } = functions;
    secret.meanwhile = ({ label, to }) => {
      if (label === CANDIDATE_LABEL && to === undefined)
        secret.stage('version-newer', valueOf(kind, 'newer'));
    };

    expect(await functions.run()).toBe('done');

    expect(secret.holderOf(CANDIDATE_LABEL)).toBe('version-newer');
  });

  test('a rollback proves the previous value before it is current again', async () => {
    const functions = RotationFunctions.rotating(kind);
    const { secret, proof } = functions;
    await functions.run();
    secret.move(CANDIDATE_LABEL, 'version-old');
    proof.refuse('old');

    expect(await functions.run(functions.begin())).toBe('candidate_refused');
    expect(secret.valueAt('AWSCURRENT')).toBe(valueOf(kind, 'new'));

    proof.accept('old');
    expect(await functions.run('run-2')).toBe('done');
    expect(secret.valueAt('AWSCURRENT')).toBe(valueOf(kind, 'old'));
    expect(secret.valueAt('AWSPREVIOUS')).toBe(valueOf(kind, 'new'));
  });

  test('the first value of all becomes current by a run where a schedule had fired before', async () => {
    const functions = new RotationFunctions(kind);
    const { secret } = functions;
    const runId = functions.begin();
    expect(await functions.run(runId)).toBe('not_loaded');
    expect(functions.metrics.counts).toEqual({});
    secret.stage('version-new', valueOf(kind, 'new'));

    expect(await functions.run(functions.begin())).toBe('done');

    expect(secret.holderOf('AWSCURRENT')).toBe(runId);
    expect(secret.holderOf('AWSPREVIOUS')).toBeUndefined();
    expect(secret.holderOf(CANDIDATE_LABEL)).toBeUndefined();
  });
});
