import { judgedVersion, type ProofRecord } from '../../../core/rotation/proof-record';
import {
  keyProofOf,
  openingVersions,
  servingEntry,
  settledRecord,
  withProven,
  withRefused,
} from '../../../core/rotation/proven-versions';

const version = (id: string) => judgedVersion(id, 0);
const [a, b, c] = ['a', 'b', 'c'].map(version);
const EMPTY: ProofRecord = { proven: [], refused: undefined };
const recordOf = (...proven: string[]): ProofRecord => ({ proven: proven.map(version), refused: undefined });
/** The labels of versions: current, previous and pending. */
const labelsOf = (current?: string, previous?: string, pending?: string) =>
  new Map(
    [
      ['AWSCURRENT', current],
      ['AWSPREVIOUS', previous],
      ['AWSPENDING', pending],
    ].flatMap(([label, id]) => (id === undefined ? [] : [[id, [label!]] as const])),
  );
const idsOf = ({ proven, refused }: ProofRecord) => [proven.map(({ id }) => id).join(' '), refused?.id];

test('the proven current version opens, and the proven previous one for its grace period', () => {
  expect(openingVersions(recordOf('a', 'b'), labelsOf('b', 'a'))).toMatchObject([
    { versionId: 'b', label: 'current', isInGrace: false },
    { versionId: 'a', label: 'previous', isInGrace: true },
  ]);
});

test.each<[string, ProofRecord, boolean]>([
  ['proven', recordOf('a'), true],
  ['unproven', EMPTY, false],
  ['refused', { proven: [], refused: a }, false],
])('a current version that is %s is reported as such', (current, record, isServed) => {
  expect(keyProofOf(record, labelsOf('a'), 0)).toEqual({ current, isServed });
  expect(openingVersions(record, labelsOf('a'))).toHaveLength(isServed ? 1 : 0);
  expect(keyProofOf(record, labelsOf(), 0)).toBeUndefined();
});

test.each<[string, ProofRecord, ReturnType<typeof labelsOf>, string | undefined]>([
  ['the current one', recordOf('b', 'a'), labelsOf('b', 'a'), 'b'],
  ['the current one, whatever the order', recordOf('a', 'b'), labelsOf('b', 'a'), 'b'],
  ['the one that an unproven version replaced', recordOf('a'), labelsOf('b', 'a'), 'a'],
  ['that one rather than the first', recordOf('a', 'b'), labelsOf('c', 'b'), 'b'],
  ['the first, pushed out by a second unproven version', recordOf('a'), labelsOf('c', 'b'), 'a'],
  ['none, once the first is revoked', recordOf('a'), labelsOf('b'), undefined],
  ['none, while the only proven one is in rotation', recordOf('a'), labelsOf('c', 'b', 'a'), undefined],
  ['none, without a proven version', EMPTY, labelsOf('b', 'a'), undefined],
])('%s serves', (_, record, labels, id) => {
  expect(servingEntry(record, labels)?.id).toBe(id);
});

test.each<[string, ProofRecord, ReturnType<typeof labelsOf>, string]>([
  ['puts the current one first', recordOf('a', 'b'), labelsOf('b', 'a'), 'b a'],
  ['drops what was replaced', recordOf('b', 'a'), labelsOf('b', 'x'), 'b'],
  ['drops the previous one of one that serves on', recordOf('b', 'a'), labelsOf('c', 'b'), 'b'],
  ['drops a revoked one', recordOf('a'), labelsOf('b'), ''],
  ['keeps the one in rotation', recordOf('b', 'a', 'c'), labelsOf('b', 'a', 'c'), 'b a c'],
  ['keeps one that was pushed out', recordOf('a'), labelsOf('c', 'b'), 'a'],
])('a settled record %s', (_, record, labels, proven) => {
  expect(idsOf(settledRecord(record, labels))).toEqual([proven, undefined]);
});

test('a revoked version does not come back with the next pasted one', () => {
  const settled = settledRecord(recordOf('a'), labelsOf('b'));

  expect(servingEntry(settled, labelsOf('c', 'b'))).toBeUndefined();
});

test('a version that was refused while it was current does not serve on in the place of a pasted one', () => {
  const refused = withRefused(recordOf('a'), a!, labelsOf('a'));

  expect(openingVersions(refused, labelsOf('a'))).toEqual([]);
  expect(openingVersions(refused, labelsOf('b', 'a'))).toEqual([]);
  expect(idsOf(settledRecord(refused, labelsOf('b', 'a')))).toEqual(['', undefined]);
});

test('a version that is accepted again opens again', () => {
  const refused = withRefused(recordOf('a'), a!, labelsOf('a'));

  expect(idsOf(withProven(refused, a!, labelsOf('a')))).toEqual(['a', undefined]);
});

test('a refused pasted version leaves the proven one in its place, and is forgotten once replaced', () => {
  const refused = withRefused(recordOf('a'), b!, labelsOf('b', 'a'));

  expect(idsOf(refused)).toEqual(['a', 'b']);
  expect(idsOf(settledRecord(refused, labelsOf('c', 'b')))).toEqual(['a', undefined]);
});

test('one that serves on and that the platform refuses serves no longer', () => {
  expect(idsOf(withRefused(recordOf('a'), a!, labelsOf('b', 'a')))).toEqual(['', undefined]);
});

test('a pasted version that is proven takes over, and the one before keeps its grace', () => {
  expect(idsOf(withProven(recordOf('a'), b!, labelsOf('b', 'a')))).toEqual(['b a', undefined]);
  expect(idsOf(withProven(recordOf('a'), c!, labelsOf('c', 'b')))).toEqual(['c', undefined]);
});
