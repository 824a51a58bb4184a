import {
  CANDIDATE_LABEL,
  PROVEN_LABEL,
  REFUSED_LABEL,
  UNTESTED_LABEL,
} from '../../../core/secrets/credential-labels';
import { ROTATION_STEPS, type RotationStep } from '../../../core/rotation/rotation';
import { type CredentialKind } from '../../../core/secrets/secret-names';
import { oauthError } from '../../support/platform/credential-platform';
import { RotationWorld } from './rotation-world';

/**
 * The versions of a secret, such as `old current, run=- pending`: name, value if that is not the name, and labels. Values:
 * `-` is none, `old` is the one that works from the start, `spaced-old` the same with other formatting, `text` is not
 * JSON, `other-kind` is of the other kind. Every other value works, unless the `platform` refuses it or is down.
 */
type State = string;

/** A rotation of the version `run`. */
interface RotationCase {
  /** Completes "with". */
  before: string;
  state: State;
  /** The result of all steps in order. */
  run: string;
  /** Number of Secrets Manager calls in the run. */
  calls: number;
  /** Whether the run is also killed at each of its calls. */
  isKilled: boolean;
  after: State;
  /** The result of each step alone, once or twice. */
  steps: Record<RotationStep, string>;
}

/**
 * By what stands before it: the state, the result of a run with its number of calls, the versions that it changed, and the steps
 * whose result alone is also that of the run, or another one. The others are `done`, but finishSecret is `not_proven`.
 */
const CASES: Record<string, string> = {
  // Alone, testSecret is AWS's test of the configuration.
  'a candidate and an empty pending version':
    'old current, new candidate, run=- pending | done, 16, killed | old previous, new, run=new current',
  'a candidate, and the label of an earlier test on another version':
    'old current, tested=wrong untested, new candidate, run=- pending | done, 17, killed | old previous, tested=wrong, new, run=new current',
  'no candidate': 'old current, run=- pending | candidate_missing, 2, killed | run=- | create',
  'a candidate of another kind':
    'old current, new=other-kind candidate, run=- pending | candidate_malformed, 4 | run=- refused | create',
  'a candidate that is not JSON':
    'old current, new=text candidate, run=- pending | candidate_malformed, 4 | run=- refused | create',
  'a candidate that is already current':
    'old current, new=spaced-old candidate, run=- pending | candidate_is_current, 5 | old current candidate, new=spaced-old, run=- | create',
  'the current version as candidate':
    'old current candidate, run=- pending | candidate_is_current, 5 | old current, run=- | create',
  'a candidate without a value':
    'old current, new=- candidate, run=- pending | candidate_missing, 3 | run=- | create',
  'nothing loaded': 'run=- pending | not_loaded, 2 | run=- | create',
  'the first candidate of all': 'new candidate, run=- pending | done, 14 | new, run=new current',
  'a filled pending version':
    'old current, new candidate, run=new pending | done, 15 | old previous, new, run=new current',
  'a filled pending version whose candidate is gone':
    'old current, new, run=new pending | candidate_missing, 2 | run=new | create',
  'a filled pending version and a newer candidate':
    'old current, newer candidate, run=new pending | not_pending, 5, killed | run=new | create',
  'a pending version with earlier outcomes':
    'old current, new candidate, run=new pending refused untested | done, 17, killed | old previous, new, run=new current',
  'a candidate that the platform refuses':
    'old current, new candidate, run=- pending, platform refuses new | candidate_refused, 10, killed | run=new pending refused',
  'a platform that gives no usable answer':
    'old current, new candidate, run=- pending, platform down | could_not_test, 10, killed | run=new pending untested',
  'a pending version that the platform refuses':
    'old current, new candidate, run=new pending untested, platform refuses new | candidate_refused, 10 | run=new pending refused | test',
  'a pending version that cannot be tested':
    'old current, new candidate, run=new pending refused, platform down | could_not_test, 10 | run=new pending untested | test',
  'a pending version that is not a credential':
    'old current, new candidate, run=text pending | not_pending, 5 | run=text | create, test candidate_malformed',
  'a pending version with the current value':
    'old current, new candidate, run=old pending | not_pending, 5 | run=old | create',
  'a proven version':
    'old current, new candidate, run=new pending proven | done, 14 | old previous, new, run=new current | finish done',
  'a proven version that the platform now refuses':
    'old current, new candidate, run=new pending proven, platform refuses new | candidate_refused, 10 | run=new pending refused | test, finish done',
  'the previous version as candidate':
    'old previous candidate, now current, run=- pending | done, 16 | old, now previous, run=old current',
  'a previous version as candidate that the platform refuses':
    'old previous candidate, now current, run=- pending, platform refuses old | candidate_refused, 10 | run=old pending refused',
  'a version that is already current':
    'old previous, new candidate, run=new current pending | done, 7 | new, run=new current | finish done',
  'a version that is current, no longer pending, and labelled previous by hand':
    'old, new candidate, run=new current previous | done, 7 | new | finish done',
  'a version that is no longer pending':
    'old current, new candidate, run=new proven | not_pending, 1 | unchanged | all',
  'a promoted version that was replaced without a rotation':
    'run=new pending previous proven, hand current | not_pending, 3 | run=new previous | all',
  'a promoted version that stayed pending, and two values written by hand since':
    'run=new pending, hand previous, again current | candidate_missing, 2 | run=new | create',
  'a promoted version that stayed pending, two values written by hand since, and a newer candidate':
    'run=new pending proven, hand previous, again current, newer candidate | not_pending, 6 | run=new | create, finish done',
  'another version pending':
    'old current, new candidate, run=-, other=new pending | not_pending, 1 | unchanged | all',
};

export const ROTATION_CASES = Object.entries(CASES).map(([before, line]): RotationCase => {
  const [state, result, changed, alone] = line.split(' | ') as [State, string, string, string?];
  const [run, calls, killed] = result.split(', ') as [string, string, string?];
  const steps = { createSecret: 'done', setSecret: 'done', testSecret: 'done', finishSecret: 'not_proven' };
  for (const each of alone?.split(', ') ?? []) {
    const [name, outcome = run] = each.split(' ');
    for (const step of ROTATION_STEPS) if (name === 'all' || step.startsWith(name!)) steps[step] = outcome;
  }
  const changes = new Map(changed.split(', ').map((version) => [nameOf(version), version]));
  const versions = state.split(', ').filter((version) => nameOf(version) !== 'platform');
  const after = versions.map((version) => changes.get(nameOf(version)) ?? version).join(', ');
  return { before, state, run, calls: Number(calls), isKilled: killed !== undefined, after, steps };
});

/** The name of a version, as in `run=new current`. */
function nameOf(version: string): string {
  return /^[^ =]*/.exec(version)![0];
}

/** The id of the version with this name. */
export function idOf(name: string): string {
  return `version-${name}-`.padEnd(32, '-');
}

const LABELS: Record<string, string> = {
  current: 'AWSCURRENT',
  previous: 'AWSPREVIOUS',
  pending: 'AWSPENDING',
  candidate: CANDIDATE_LABEL,
  proven: PROVEN_LABEL,
  refused: REFUSED_LABEL,
  untested: UNTESTED_LABEL,
};
const SHORT = new Map(Object.entries(LABELS).map(([short, label]) => [label, short]));

/** A world in a state, and its values by name. */
export class ArrangedRotation {
  readonly world: RotationWorld;
  readonly #values: Map<string, string>;

  constructor(kind: CredentialKind, state: State) {
    const world = new RotationWorld(kind);
    this.world = world;
    this.#values = new Map([
      ['old', world.old],
      ['spaced-old', ` ${world.old}`],
    ]);
    world.secret.versions.clear();
    for (const version of state.split(', ')) {
      const [named, ...labels] = version.split(' ') as [string, ...string[]];
      const [name, value = name] = named.split('=') as [string, string?];
      if (name !== 'platform')
        world.put(
          idOf(name),
          value === '-' ? undefined : this.valueOf(value),
          ...labels.map((label) => LABELS[label]!),
        );
      else if (labels[0] === 'down') world.platform.trouble = () => oauthError(503);
      else world.platform.revoke(this.valueOf(labels[1]!));
    }
  }

  /** The value with this name; different names have different values. */
  valueOf(name: string): string {
    const { platform, kind } = this.world;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const otherKind = kind === 'api-key' ? 'client-credentials' : 'api-key';
    const value =
      name === 'text'
        ? platform.plant('a text')
        : platform.issueValue(name === 'other-kind' ? otherKind : kind);
    this.#values.set(name, value);
    return value;
  }

  /** The current state of the secret. */
  state(): State {
    const versions = this.world.versions().map(({ versionId, value, labels }) => {
      const name = versionId.split('-')[1]!;
      const valueName = [...this.#values].find(([, known]) => known === value)?.[0] ?? '-';
      const named = name === valueName ? name : `${name}=${valueName}`;
      return [named, ...labels.sort().map((label) => SHORT.get(label) ?? label)].join(' ');
    });
    return versions.join(', ');
  }
}
