import { CANDIDATE_LABEL, PROVEN_LABEL, REFUSED_LABEL } from '../../../contract/credential-labels';
import { type RotationStep, ROTATION_STEPS } from '../../../contract/rotation';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../../contract/secret-names';
import { RotationFunctions, valueOf } from '../../support/lambdas/rotation-functions';

interface State {
  state: string;
  /** Changes a secret with a current, a staged and an empty pending version. */
  arrange: (functions: RotationFunctions) => void;
  /** What each step comes to, also when it is repeated. */
  outcomes: Record<RotationStep, string>;
}

const candidate = (kind: CredentialKind) => valueOf(kind, 'new');
const fill = ({ secret, kind }: RotationFunctions) => secret.put('run-1', candidate(kind), ['AWSPENDING']);
const ALL_DONE = { createSecret: 'done', setSecret: 'done', testSecret: 'done', finishSecret: 'done' };
const ALL_REFUSED = (code: string) => ({
  createSecret: code,
  setSecret: code,
  testSecret: code,
  finishSecret: code,
});

const STATES: State[] = [
  {
    state: 'nothing staged',
    arrange: ({ secret }) => secret.move(CANDIDATE_LABEL, undefined),
    outcomes: { ...ALL_DONE, createSecret: 'candidate_missing', finishSecret: 'not_proven' },
  },
  {
    state: 'a staged value of another kind',
    arrange: ({ secret, kind }) =>
      secret.stage('version-odd', valueOf(kind === 'api-key' ? 'client-credentials' : 'api-key', 'odd')),
    outcomes: { ...ALL_DONE, createSecret: 'candidate_malformed', finishSecret: 'not_proven' },
  },
  {
    state: 'a staged value that is no JSON',
    arrange: ({ secret }) => secret.stage('version-odd', 'kept-secret-of-odd'),
    outcomes: { ...ALL_DONE, createSecret: 'candidate_malformed', finishSecret: 'not_proven' },
  },
  {
    state: 'a staged version and an empty pending one',
    arrange: () => undefined,
    // Alone, testSecret is AWS's test of the configuration.
    outcomes: { ...ALL_DONE, finishSecret: 'not_proven' },
  },
  {
    state: 'a filled pending version',
    arrange: fill,
    outcomes: { ...ALL_DONE, finishSecret: 'not_proven' },
  },
  {
    state: 'a filled pending version whose candidate is gone',
    arrange: (functions) => {
      fill(functions);
      functions.secret.move(CANDIDATE_LABEL, undefined);
    },
    outcomes: { ...ALL_DONE, finishSecret: 'not_proven' },
  },
  {
    state: 'a pending version that the platform refuses',
    arrange: (functions) => {
      fill(functions);
      functions.proof.refuse('new');
    },
    outcomes: { ...ALL_DONE, testSecret: 'candidate_refused', finishSecret: 'not_proven' },
  },
  {
    state: 'a pending version that nobody can test',
    arrange: (functions) => {
      fill(functions);
      functions.proof.fail('new');
    },
    outcomes: { ...ALL_DONE, testSecret: 'could_not_test', finishSecret: 'not_proven' },
  },
  {
    state: 'a pending version that is no credential',
    arrange: ({ secret }) => secret.put('run-1', 'kept-secret-of-odd', ['AWSPENDING']),
    outcomes: { ...ALL_DONE, testSecret: 'candidate_malformed', finishSecret: 'not_proven' },
  },
  {
    state: 'a pending version with the current value',
    arrange: ({ secret, kind }) => secret.put('run-1', valueOf(kind, 'old'), ['AWSPENDING']),
    outcomes: { ...ALL_DONE, finishSecret: 'not_proven' },
  },
  {
    state: 'a refused version',
    arrange: (functions) => {
      fill(functions);
      functions.secret.move(REFUSED_LABEL, 'run-1');
    },
    outcomes: { ...ALL_DONE, finishSecret: 'not_proven' },
  },
  {
    state: 'a proven version',
    arrange: (functions) => {
      fill(functions);
      functions.secret.move(PROVEN_LABEL, 'run-1');
    },
    outcomes: ALL_DONE,
  },
  {
    state: 'a version that is current already',
    arrange: (functions) => {
      fill(functions);
      functions.secret.move('AWSCURRENT', 'run-1');
    },
    outcomes: ALL_DONE,
  },
  {
    state: 'a version that is pending no longer',
    arrange: (functions) => {
      fill(functions);
      functions.secret.move(PROVEN_LABEL, 'run-1');
      functions.secret.move('AWSPENDING', undefined);
    },
    outcomes: ALL_REFUSED('not_pending'),
  },
  {
    state: 'a promoted version that was replaced by other means than a rotation',
    arrange: (functions) => {
      fill(functions);
      functions.secret.move(PROVEN_LABEL, 'run-1');
      functions.secret.move('AWSCURRENT', 'run-1');
      functions.secret.put('version-by-hand', valueOf(functions.kind, 'by-hand'), []);
      functions.secret.move('AWSCURRENT', 'version-by-hand');
    },
    outcomes: ALL_REFUSED('not_pending'),
  },
  {
    state: 'another version pending',
    arrange: ({ secret, kind }) => secret.put('run-2', candidate(kind), ['AWSPENDING']),
    outcomes: ALL_REFUSED('not_pending'),
  },
];

describe.each(CREDENTIAL_KINDS)('%s', (kind) => {
  describe.each(STATES)('with $state', ({ arrange, outcomes }) => {
    test.each(ROTATION_STEPS)('%s comes to the same, done once or twice', async (step) => {
      const functions = RotationFunctions.rotating(kind);
      arrange(functions);
      const { secret } = functions;
      const currentBefore = secret.holderOf('AWSCURRENT');

      const first = await functions.outcomeOf(step);
      const after = secret.versions();
      const second = await functions.outcomeOf(step);

      expect([first, second]).toEqual([outcomes[step], outcomes[step]]);
      expect(secret.versions()).toEqual(after);
      const isPromoted = step === 'finishSecret' && first === 'done';
      expect(secret.holderOf('AWSCURRENT')).toBe(isPromoted ? 'run-1' : currentBefore);
      expect(functions.visible()).not.toContain('kept-secret-of');
    });
  });
});
