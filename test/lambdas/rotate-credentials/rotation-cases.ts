import { type RotationStep } from '../../../core/rotation/rotation';
import { oauthError } from '../../support/platform/credential-platform';
import { type RotationWorld } from './rotation-world';

/**
 * The versions of a secret, one per line: name, value and labels, as in `run = new AWSPENDING`.
 * Values: `-` is none, `old` and `current` work from the start, `spaced-old` is `old` with other formatting, `text` is not
 * JSON, `other-kind` is of the other kind. Every other value works, unless the platform refuses it in that case.
 */
export type Versions = readonly string[];

/** The initial state of secret and platform, and the result of a rotation of the version `run`. */
export interface RotationCase {
  /** Completes "with". */
  before: string;
  versions: Versions;
  /** The value that the platform refuses. */
  refused?: string;
  /** The platform gives no usable answer. */
  isDown?: boolean;
  /** The result of each step alone, once or twice. @default that of a version that is not proven */
  steps: Record<RotationStep, string>;
  /** The result of all steps in order. */
  run: string;
  /** The versions after the run. @default unchanged */
  after?: Versions;
  /** The metric that the run counts. */
  counts: Record<string, number>;
  /** Number of Secrets Manager calls in the run. */
  calls: number;
  /** The run is also killed at each of its calls. */
  isKilled?: true;
}

const DONE = { createSecret: 'done', setSecret: 'done', testSecret: 'done', finishSecret: 'done' };
const UNPROVEN = { ...DONE, finishSecret: 'not_proven' };
const NOT_PENDING = {
  createSecret: 'not_pending',
  setSecret: 'not_pending',
  testSecret: 'not_pending',
  finishSecret: 'not_pending',
};
/** What a run counts, by its result; nothing for other results. */
const COUNTS: Readonly<Record<string, Record<string, number>>> = {
  done: { RotationSucceeded: 1 },
  candidate_missing: { RotationCandidateMissing: 1 },
  candidate_malformed: { RotationFailed: 1 },
  candidate_refused: { RotationRefused: 1 },
  could_not_test: { RotationUntested: 1 },
};
const CANDIDATE = 'new = new LATCHKEY_CANDIDATE';
const PROMOTED: Versions = ['old = old AWSPREVIOUS', 'new = new', 'run = new AWSCURRENT'];

const CASES: readonly (Omit<RotationCase, 'counts' | 'steps'> & Partial<Pick<RotationCase, 'steps'>>)[] = [
  {
    before: 'a candidate and an empty pending version',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = - AWSPENDING'],
    // Alone, testSecret is AWS's test of the configuration.
    run: 'done',
    after: PROMOTED,
    calls: 16,
    isKilled: true,
  },
  {
    before: 'a candidate, and the label of an earlier test on another version',
    versions: ['old = old AWSCURRENT', 'tested = wrong LATCHKEY_UNTESTED', CANDIDATE, 'run = - AWSPENDING'],
    run: 'done',
    after: ['old = old AWSPREVIOUS', 'tested = wrong', 'new = new', 'run = new AWSCURRENT'],
    calls: 17,
    isKilled: true,
  },
  {
    before: 'no candidate',
    versions: ['old = old AWSCURRENT', 'run = - AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'candidate_missing' },
    run: 'candidate_missing',
    after: ['old = old AWSCURRENT', 'run = -'],
    calls: 2,
    isKilled: true,
  },
  {
    before: 'a candidate of another kind',
    versions: ['old = old AWSCURRENT', 'new = other-kind LATCHKEY_CANDIDATE', 'run = - AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'candidate_malformed' },
    run: 'candidate_malformed',
    after: ['old = old AWSCURRENT', 'new = other-kind LATCHKEY_CANDIDATE', 'run = - LATCHKEY_REFUSED'],
    calls: 4,
  },
  {
    before: 'a candidate that is not JSON',
    versions: ['old = old AWSCURRENT', 'new = text LATCHKEY_CANDIDATE', 'run = - AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'candidate_malformed' },
    run: 'candidate_malformed',
    after: ['old = old AWSCURRENT', 'new = text LATCHKEY_CANDIDATE', 'run = - LATCHKEY_REFUSED'],
    calls: 4,
  },
  {
    before: 'a candidate that is already current',
    versions: ['old = old AWSCURRENT', 'new = spaced-old LATCHKEY_CANDIDATE', 'run = - AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'candidate_is_current' },
    run: 'candidate_is_current',
    after: ['old = old AWSCURRENT LATCHKEY_CANDIDATE', 'new = spaced-old', 'run = -'],
    calls: 5,
  },
  {
    before: 'the current version as candidate',
    versions: ['old = old AWSCURRENT LATCHKEY_CANDIDATE', 'run = - AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'candidate_is_current' },
    run: 'candidate_is_current',
    after: ['old = old AWSCURRENT', 'run = -'],
    calls: 5,
  },
  {
    before: 'a candidate without a value',
    versions: ['old = old AWSCURRENT', 'new = - LATCHKEY_CANDIDATE', 'run = - AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'candidate_missing' },
    run: 'candidate_missing',
    after: ['old = old AWSCURRENT', 'new = - LATCHKEY_CANDIDATE', 'run = -'],
    calls: 3,
  },
  {
    before: 'nothing loaded',
    versions: ['run = - AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'not_loaded' },
    run: 'not_loaded',
    after: ['run = -'],
    calls: 2,
  },
  {
    before: 'the first candidate of all',
    versions: [CANDIDATE, 'run = - AWSPENDING'],
    run: 'done',
    after: ['new = new', 'run = new AWSCURRENT'],
    calls: 14,
  },
  {
    before: 'a filled pending version',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING'],
    run: 'done',
    after: PROMOTED,
    calls: 15,
  },
  {
    before: 'a filled pending version whose candidate is gone',
    versions: ['old = old AWSCURRENT', 'new = new', 'run = new AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'candidate_missing' },
    run: 'candidate_missing',
    after: ['old = old AWSCURRENT', 'new = new', 'run = new'],
    calls: 2,
  },
  {
    before: 'a filled pending version and a newer candidate',
    versions: ['old = old AWSCURRENT', 'newer = newer LATCHKEY_CANDIDATE', 'run = new AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'not_pending' },
    run: 'not_pending',
    after: ['old = old AWSCURRENT', 'newer = newer LATCHKEY_CANDIDATE', 'run = new'],
    calls: 5,
    isKilled: true,
  },
  {
    before: 'a pending version with earlier outcomes',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_REFUSED LATCHKEY_UNTESTED'],
    run: 'done',
    after: PROMOTED,
    calls: 17,
    isKilled: true,
  },
  {
    before: 'a candidate that the platform refuses',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = - AWSPENDING'],
    refused: 'new',
    run: 'candidate_refused',
    after: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_REFUSED'],
    calls: 10,
    isKilled: true,
  },
  {
    before: 'a platform that gives no usable answer',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = - AWSPENDING'],
    isDown: true,
    run: 'could_not_test',
    after: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_UNTESTED'],
    calls: 10,
    isKilled: true,
  },
  {
    before: 'a pending version that the platform refuses',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_UNTESTED'],
    refused: 'new',
    steps: { ...UNPROVEN, testSecret: 'candidate_refused' },
    run: 'candidate_refused',
    after: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_REFUSED'],
    calls: 10,
  },
  {
    before: 'a pending version that cannot be tested',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_REFUSED'],
    isDown: true,
    steps: { ...UNPROVEN, testSecret: 'could_not_test' },
    run: 'could_not_test',
    after: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_UNTESTED'],
    calls: 10,
  },
  {
    before: 'a pending version that is not a credential',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = text AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'not_pending', testSecret: 'candidate_malformed' },
    run: 'not_pending',
    after: ['old = old AWSCURRENT', CANDIDATE, 'run = text'],
    calls: 5,
  },
  {
    before: 'a pending version with the current value',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = old AWSPENDING'],
    steps: { ...UNPROVEN, createSecret: 'not_pending' },
    run: 'not_pending',
    after: ['old = old AWSCURRENT', CANDIDATE, 'run = old'],
    calls: 5,
  },
  {
    before: 'a proven version',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_PROVEN'],
    steps: DONE,
    run: 'done',
    after: PROMOTED,
    calls: 14,
  },
  {
    before: 'a proven version that the platform now refuses',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_PROVEN'],
    refused: 'new',
    steps: { ...DONE, testSecret: 'candidate_refused' },
    run: 'candidate_refused',
    after: ['old = old AWSCURRENT', CANDIDATE, 'run = new AWSPENDING LATCHKEY_REFUSED'],
    calls: 10,
  },
  {
    before: 'the previous version as candidate',
    versions: ['old = old AWSPREVIOUS LATCHKEY_CANDIDATE', 'now = now AWSCURRENT', 'run = - AWSPENDING'],
    run: 'done',
    after: ['old = old', 'now = now AWSPREVIOUS', 'run = old AWSCURRENT'],
    calls: 16,
  },
  {
    before: 'a previous version as candidate that the platform refuses',
    versions: ['old = old AWSPREVIOUS LATCHKEY_CANDIDATE', 'now = now AWSCURRENT', 'run = - AWSPENDING'],
    refused: 'old',
    run: 'candidate_refused',
    after: [
      'old = old AWSPREVIOUS LATCHKEY_CANDIDATE',
      'now = now AWSCURRENT',
      'run = old AWSPENDING LATCHKEY_REFUSED',
    ],
    calls: 10,
  },
  {
    before: 'a version that is already current',
    versions: ['old = old AWSPREVIOUS', CANDIDATE, 'run = new AWSCURRENT AWSPENDING'],
    steps: DONE,
    run: 'done',
    after: ['old = old AWSPREVIOUS', 'new = new', 'run = new AWSCURRENT'],
    calls: 7,
  },
  {
    before: 'a version that is current, no longer pending, and labelled previous by hand',
    versions: ['old = old', CANDIDATE, 'run = new AWSCURRENT AWSPREVIOUS'],
    steps: DONE,
    run: 'done',
    after: ['old = old', 'new = new', 'run = new AWSCURRENT AWSPREVIOUS'],
    calls: 7,
  },
  {
    before: 'a version that is no longer pending',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = new LATCHKEY_PROVEN'],
    steps: NOT_PENDING,
    run: 'not_pending',
    calls: 1,
  },
  {
    before: 'a promoted version that was replaced without a rotation',
    versions: ['run = new AWSPENDING AWSPREVIOUS LATCHKEY_PROVEN', 'hand = hand AWSCURRENT'],
    steps: NOT_PENDING,
    run: 'not_pending',
    after: ['run = new AWSPREVIOUS', 'hand = hand AWSCURRENT'],
    calls: 3,
  },
  {
    before: 'a promoted version that stayed pending, and two values written by hand since',
    versions: ['run = new AWSPENDING', 'hand = hand AWSPREVIOUS', 'again = again AWSCURRENT'],
    steps: { ...UNPROVEN, createSecret: 'candidate_missing' },
    run: 'candidate_missing',
    after: ['run = new', 'hand = hand AWSPREVIOUS', 'again = again AWSCURRENT'],
    calls: 2,
  },
  {
    before: 'a promoted version that stayed pending, two values written by hand since, and a newer candidate',
    versions: [
      'run = new AWSPENDING LATCHKEY_PROVEN',
      'hand = hand AWSPREVIOUS',
      'again = again AWSCURRENT',
      'newer = newer LATCHKEY_CANDIDATE',
    ],
    steps: { ...DONE, createSecret: 'not_pending' },
    run: 'not_pending',
    after: [
      'run = new',
      'hand = hand AWSPREVIOUS',
      'again = again AWSCURRENT',
      'newer = newer LATCHKEY_CANDIDATE',
    ],
    calls: 6,
  },
  {
    before: 'another version pending',
    versions: ['old = old AWSCURRENT', CANDIDATE, 'run = -', 'other = new AWSPENDING'],
    steps: NOT_PENDING,
    run: 'not_pending',
    calls: 1,
  },
];

export const ROTATION_CASES: readonly RotationCase[] = CASES.map((given) => ({
  steps: UNPROVEN,
  ...given,
  counts: COUNTS[given.run] ?? {},
}));

/** The id of the version with this name. */
export function idOf(name: string): string {
  return `version-${name}-`.padEnd(32, '-');
}

/** The initial world of a case, and its values by name. */
export class ArrangedRotation {
  readonly world: RotationWorld;
  readonly #values: Map<string, string>;

  constructor(
    world: RotationWorld,
    { versions, refused, isDown }: Pick<RotationCase, 'versions' | 'refused' | 'isDown'>,
  ) {
    this.world = world;
    this.#values = new Map([
      ['old', world.old],
      ['spaced-old', ` ${world.old}`],
    ]);
    world.secret.versions.clear();
    for (const line of versions) {
      const [name, value, labels] = partsOf(line);
      world.put(idOf(name), value === '-' ? undefined : this.valueOf(value), ...labels);
    }
    if (refused !== undefined) world.platform.revoke(this.valueOf(refused));
    if (isDown) world.platform.trouble = () => oauthError(503);
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

  /** The current versions, in the notation of the cases. */
  versions(): string[] {
    return this.world.versions().map(({ versionId, value, labels }) => {
      const named = [...this.#values].find(([, known]) => known === value);
      return [versionId.split('-')[1], '=', named?.[0] ?? '-', ...labels.sort()].join(' ');
    });
  }
}

function partsOf(line: string): [name: string, value: string, labels: string[]] {
  const [name, , value, ...labels] = line.split(' ');
  return [name!, value!, labels];
}
