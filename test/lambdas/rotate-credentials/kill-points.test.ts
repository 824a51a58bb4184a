import {
  CANDIDATE_LABEL,
  PROVEN_LABEL,
  REFUSED_LABEL,
  UNTESTED_LABEL,
} from '../../../contract/credential-labels';
import { CREDENTIAL_KINDS } from '../../../contract/secret-names';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { KillPoints } from '../../faults/support/kill-points';
import { RotationFunctions, valueOf } from '../../support/lambdas/rotation-functions';

interface Scenario {
  name: string;
  arrange: (functions: RotationFunctions) => void;
  /** What a run comes to that nobody kills, and so what its repetition comes to. */
  outcome: string;
  /** What is current in the end. */
  current: 'old' | 'new';
  /** Label of the pending version, by which `inspect` names the state. */
  label?: string;
  calls: number;
}

const SCENARIOS: Scenario[] = [
  { name: 'that succeeds', arrange: () => undefined, outcome: 'done', current: 'new', calls: 17 },
  {
    name: 'whose version has an earlier outcome',
    arrange: ({ secret, kind }) => {
      secret.put('run-1', valueOf(kind, 'new'), ['AWSPENDING', UNTESTED_LABEL, REFUSED_LABEL]);
    },
    outcome: 'done',
    current: 'new',
    calls: 16,
  },
  {
    name: 'that the platform refuses',
    arrange: ({ proof }) => proof.refuse('new'),
    outcome: 'candidate_refused',
    current: 'old',
    label: REFUSED_LABEL,
    calls: 11,
  },
  {
    name: 'that the platform does not answer',
    arrange: ({ proof }) => proof.fail('new'),
    outcome: 'could_not_test',
    current: 'old',
    label: UNTESTED_LABEL,
    calls: 11,
  },
  {
    name: 'without a candidate',
    arrange: ({ secret }) => secret.move(CANDIDATE_LABEL, undefined),
    outcome: 'candidate_missing',
    current: 'old',
    calls: 2,
  },
];

/** A run from its first step on, until its end or its kill. */
async function runKilledAt(functions: RotationFunctions, points: KillPoints): Promise<string> {
  const versions = points.watch(functions.secret, 'describe', 'value', 'putPending', 'moveLabel');
  const proof = points.watch(functions.proof, 'prove');
  const run = functions.run('run-1', { ...functions.ports(), versions, proof });
  return Promise.race([run, points.killed.then(() => 'killed')]);
}

describe.each(CREDENTIAL_KINDS)('%s', (kind) => {
  describe.each(SCENARIOS)('a run $name', ({ arrange, outcome, current, label, calls }) => {
    const arranged = () => {
      const functions = RotationFunctions.rotating(kind);
      arrange(functions);
      return functions;
    };

    test('leaves one current value that works wherever it is killed, and its repetition ends as it would have', async () => {
      const counted = new KillPoints();
      expect(await runKilledAt(arranged(), counted)).toBe(outcome);
      expect(counted.passed).toBe(2 * calls);

      for (let point = 1; point <= counted.passed; point += 1) {
        const functions = arranged();
        const { secret } = functions;

        // Act
        expect(await runKilledAt(functions, new KillPoints(point))).toBe('killed');

        // Assert
        const left = secret.versions().filter(({ labels }) => labels.includes('AWSCURRENT'));
        expect(left).toHaveLength(1);
        const isPromoted = left[0]!.value === valueOf(kind, 'new');
        expect(isPromoted || left[0]!.value === valueOf(kind, 'old')).toBe(true);
        if (isPromoted) expect(secret.holderOf(PROVEN_LABEL)).toBe('run-1');

        functions.countedRuns = new CountedRuns();
        expect(await functions.run()).toBe(outcome);
        expect(secret.valueAt('AWSCURRENT')).toBe(valueOf(kind, current));
        if (current === 'new') {
          expect(secret.valueAt('AWSPREVIOUS')).toBe(valueOf(kind, 'old'));
          expect(secret.holderOf('AWSPENDING')).toBeUndefined();
          expect(secret.holderOf(CANDIDATE_LABEL)).toBeUndefined();
          expect(functions.metrics.counts.RotationSucceeded).toBeGreaterThanOrEqual(1);
        }
        if (label !== undefined) expect(secret.holderOf(label)).toBe('run-1');
      }
    });

    test('blocks no later run wherever it is killed and never repeated', async () => {
      const counted = new KillPoints();
      await runKilledAt(arranged(), counted);

      for (let point = 1; point <= counted.passed; point += 1) {
        const functions = arranged();
        const { secret } = functions;
        await runKilledAt(functions, new KillPoints(point));

        // Act: what the command does before it rotates anew.
        secret.move('AWSPENDING', undefined);
        secret.stage('version-next', valueOf(kind, 'next'));
        functions.countedRuns = new CountedRuns();

        // Assert
        expect(await functions.run(functions.begin())).toBe('done');
        expect(secret.valueAt('AWSCURRENT')).toBe(valueOf(kind, 'next'));
      }
    });
  });
});
