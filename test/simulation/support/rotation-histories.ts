import * as fc from 'fast-check';

import { applyRepair } from '../../../cli/apply-fix';
import { chooseDeployments } from '../../../cli/choose-tenant';
import { rotateCredentials } from '../../../cli/credentials/rotate-credential';
import { doctor } from '../../../cli/doctor-command';
import { inspectDeployments } from '../../../cli/inspect-deployments';
import { CANDIDATE_LABEL, PROVEN_LABEL } from '../../../core/secrets/credential-labels';
import { ROTATION_STEPS, type RotationStep } from '../../../core/rotation/rotation';
import { type Finding } from '../../../core/findings/finding';
import { DOWN } from '../../faults/rotation/credential-platform';
import { KillPoints } from '../../faults/support/kill-points';
import { MINUTE_MS } from '../../support/lambdas/token-functions';
import { type OperatedDeployment } from './operated-deployment';
import { generate, load, revoke, rollBack, stageElsewhere } from './operations';
import { DAY_MS } from './simulated-world';

/** Events of a credential's history, in any order. If `killAt` is not 0, the process is killed at that call. */
export type Happening =
  | { is: 'load'; killAt: number; revokePrevious: boolean; replace: boolean }
  | { is: 'load the current one' | 'load a strange one' | 'load twice at once' | 'stage elsewhere' }
  | { is: 'generate' | 'rotate' | 'rollback' | 'revoke previous' | 'doctor'; killAt: number }
  /** Applies the fix of each finding separately. */
  | { is: 'repair' }
  /** The platform revokes the candidate, unless it was already proven. */
  | { is: 'revoke the candidate' }
  | { is: 'platform'; isDown: boolean }
  /** Somebody makes a value current that works, without a rotation. */
  | { is: 'write by hand' }
  /** Whether AWS leaves AWSPENDING on a version that a rotation made current. */
  | { is: 'end of rotations'; keepsPending: boolean }
  /** A principal that may invoke rotate-credentials runs a step on the pending version at any time. */
  | { is: 'step out of turn'; step: RotationStep }
  /** Kills every process from one of its calls on, or none. */
  | { is: 'kill rotate-credentials'; at: number }
  | { is: 'wait'; ms: number };

const killAt = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 40 }));
const weighted = <T extends Happening>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const only = <Is extends string>(...names: Is[]) => fc.constantFrom(...names);

/** Any event. */
export const HAPPENING: fc.Arbitrary<Happening> = fc.oneof(
  weighted(6, fc.record({ is: only('load'), killAt, revokePrevious: fc.boolean(), replace: fc.boolean() })),
  weighted(
    2,
    fc.record({
      is: only('load the current one', 'load a strange one', 'load twice at once', 'stage elsewhere'),
    }),
  ),
  weighted(6, fc.record({ is: only('generate', 'rotate', 'rollback', 'revoke previous', 'doctor'), killAt })),
  weighted(2, fc.record({ is: only('repair') })),
  weighted(2, fc.record({ is: only('revoke the candidate') })),
  weighted(3, fc.record({ is: only('step out of turn'), step: fc.constantFrom(...ROTATION_STEPS) })),
  weighted(2, fc.record({ is: only('platform'), isDown: fc.boolean() })),
  weighted(2, fc.record({ is: only('write by hand') })),
  weighted(2, fc.record({ is: only('end of rotations'), keepsPending: fc.boolean() })),
  weighted(3, fc.record({ is: only('kill rotate-credentials'), at: killAt })),
  // The last one is long enough for the rotation schedule to start.
  weighted(
    4,
    fc.record({ is: only('wait'), ms: fc.constantFrom(1_000, MINUTE_MS, 11 * MINUTE_MS, 32 * DAY_MS) }),
  ),
);

/** Plays one event. */
export async function play(operated: OperatedDeployment, event: Happening): Promise<void> {
  const { platform, functions, kind, time } = operated;
  switch (event.is) {
    case 'load':
      return void (await load(operated, platform.issueValue(kind), {
        ...event,
        points: new KillPoints(event.killAt),
      }));
    case 'load the current one':
      return void (await load(operated, operated.valueAt('AWSCURRENT')!));
    case 'load a strange one':
      return void (await load(operated, platform.strangeValue(kind)));
    case 'load twice at once': {
      const [first, second] = [platform.issueValue(kind), platform.issueValue(kind)];
      return void (await Promise.all([load(operated, first), load(operated, second)]));
    }
    case 'stage elsewhere':
      return stageElsewhere(operated, platform.issueValue(kind));
    case 'generate':
      if (kind === 'api-key') await generate(operated, new KillPoints(event.killAt));
      return;
    case 'rotate':
      return void (await operated.command(rotateCredentials, { kind }, pointsOf(event)));
    case 'rollback':
      return void (await rollBack(operated, new KillPoints(event.killAt)));
    case 'revoke previous':
      return void (await revoke(operated, new KillPoints(event.killAt)));
    case 'doctor':
      return void (await operated.command(doctor, { fix: true, yes: true }, pointsOf(event)));
    case 'repair':
      return repairEach(operated);
    case 'revoke the candidate': {
      const value = operated.valueAt(CANDIDATE_LABEL);
      const isInUse = ['AWSCURRENT', PROVEN_LABEL].some((label) => operated.valueAt(label) === value);
      if (value !== undefined && !isInUse) platform.revoke(value);
      return;
    }
    case 'platform':
      platform.trouble = event.isDown ? DOWN : undefined;
      return;
    case 'write by hand':
      return operated.secrets.put(operated.secretName, platform.issueValue(kind));
    case 'end of rotations':
      operated.rotator.keepsPending = event.keepsPending;
      return;
    case 'step out of turn': {
      const ClientRequestToken = operated.holderOf('AWSPENDING') ?? 'a version that does not exist';
      const invocation = functions.rotate({
        Step: event.step,
        SecretId: operated.secretName,
        ClientRequestToken,
      });
      return time.until(invocation.catch(() => undefined));
    }
    case 'kill rotate-credentials':
      functions.rotationPoints = new KillPoints(event.at);
      return;
    case 'wait':
      return time.advance(event.ms);
  }
}

function pointsOf(event: { killAt: number }): { points: KillPoints } {
  return { points: new KillPoints(event.killAt) };
}

/** Applies the fix of each finding separately; a completed fix must clear its finding. */
async function repairEach(operated: OperatedDeployment): Promise<void> {
  const found = await fixableNow(operated);
  for (const finding of found) {
    const { fix } = finding.repair;
    const [deployment] = operated.system().deployments;
    const repair = { deployment: deployment!, finding, fix: fix! };
    const { isDone } = await operated.time.until(applyRepair(operated.context(), operated.system(), repair));
    if (!isDone) continue;
    const left = (await fixableNow(operated)).map((each) => [each.kind, each.repair.fix]);
    expect(left).not.toContainEqual([finding.kind, fix]);
  }
}

async function fixableNow(operated: OperatedDeployment): Promise<Finding[]> {
  const system = operated.system();
  const [inspection] = await operated.time.until(
    inspectDeployments(operated.context(), system, chooseDeployments(system, {})),
  );
  return inspection !== undefined && 'findings' in inspection
    ? inspection.findings.filter(({ repair }) => repair.fix !== undefined)
    : [];
}
