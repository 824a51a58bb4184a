import { doctor } from '../../cli/doctor-command';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../core/secrets/secret-names';
import { addPendingVersion } from 'cdk-on-loopback/testing';
import { KillPoints } from '../support/kill-points';
import { MINUTE_MS } from '../support/lambdas/token-functions';
import { expectReplaceable, OperatedDeployment } from './support/operated-deployment';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PENDING = 'p'.repeat(32);
const FUNCTION = 'arn:aws:lambda:eu-west-2:111122223333:function:token-sweep-arn';

/** What CloudFormation does when a rotation schedule is added to a secret or changed. @returns the error, or `done` */
function deploy(operated: OperatedDeployment): Promise<string> {
  const deployed = operated.configureRotation(operated.secretName).then(
    () => 'done',
    (error: Error) => error.name,
  );
  return operated.time.until(deployed);
}

async function sweepFor({ time, functions }: OperatedDeployment, durationMs: number): Promise<void> {
  for (const endMs = time.nowMs() + durationMs; time.nowMs() < endMs;) {
    await time.advance(5 * MINUTE_MS);
    await time.until(functions.invoke(FUNCTION, Buffer.from('{"action":"sweep"}')));
  }
}

/** A rotation whose process is killed at its first call, in every repetition. */
async function killedRotation(kind: CredentialKind): Promise<OperatedDeployment> {
  const operated = await OperatedDeployment.create(kind);
  operated.killRotations(new KillPoints(1));
  await operated.time.advance(32 * DAY_MS);
  expect(await deploy(operated)).toBe('InvalidRequestException');
  await operated.time.advance(MINUTE_MS);
  operated.killRotations(new KillPoints());
  return operated;
}

/** An empty pending version, four weeks before the schedule fires again. */
async function withEmptyPending(kind: CredentialKind): Promise<OperatedDeployment> {
  const operated = await OperatedDeployment.create(kind);
  await operated.time.advance(2 * DAY_MS);
  addPendingVersion(operated.secrets.secret(operated.secretName), PENDING, operated.time.nowMs());
  return operated;
}

describe.each(CREDENTIAL_KINDS)('a stack with %s can be deployed again', (kind) => {
  test.each([
    ['loaded', () => OperatedDeployment.create(kind)],
    ['never loaded', () => OperatedDeployment.empty(kind)],
  ])('after the schedule fired without a candidate on a credential that was %s', async (_, create) => {
    const operated = await create();
    await operated.time.advance(32 * DAY_MS);

    expect(operated.holderOf('AWSPENDING')).toBeUndefined();
    expect(await deploy(operated)).toBe('done');
    // The schedule fires twice, and Secrets Manager repeats each rotation.
    expect(operated.metrics.counts).toEqual(operated.wasLoaded ? { RotationCandidateMissing: 2 } : {});
  });

  test('after a rotation was killed, once token-sweep has ended it', async () => {
    const operated = await killedRotation(kind);

    await sweepFor(operated, 31 * HOUR_MS);

    expect(await deploy(operated)).toBe('done');
    await expectReplaceable(operated);
  });

  test('at once, after a command has ended the rotation that was killed', async () => {
    const operated = await killedRotation(kind);
    await operated.time.advance(HOUR_MS);

    await operated.command(doctor, { fix: true, yes: true });

    expect(await deploy(operated)).toBe('done');
  });

  test('after an empty pending version was left ten days ago', async () => {
    const operated = await withEmptyPending(kind);
    await operated.time.advance(10 * DAY_MS);
    expect(await deploy(operated)).toBe('InvalidRequestException');
    // The request has the rotation repeated, which ends it.
    await operated.time.advance(MINUTE_MS);

    expect(await deploy(operated)).toBe('done');
  });
});

test('token-sweep leaves a rotation alone for a day', async () => {
  const operated = await withEmptyPending('api-key');

  await sweepFor(operated, 24 * HOUR_MS - 10 * MINUTE_MS);

  expect(operated.holderOf('AWSPENDING')).toBe(PENDING);
});
