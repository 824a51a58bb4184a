import {
  isSameVersion,
  judgedVersion,
  parseProofRecord,
  PROVEN_TAG,
  proofRecordTags,
  REFUSED_TAG,
} from '../../../core/rotation/proof-record';

const NOON_SEC = 1_790_000_000;
const versionOf = (id: string) => judgedVersion(id, NOON_SEC * 1000 + 999);

test('a record survives its tags', () => {
  const [a, b] = [versionOf('a'.repeat(64)), versionOf('b'.repeat(32))];
  for (const record of [
    { proven: [], refused: undefined },
    { proven: [a, b], refused: b },
  ]) {
    expect(parseProofRecord(proofRecordTags(record))).toEqual(record);
  }
});

test.each([undefined, 'by hand', 'short@1', `${'='.repeat(32)}@1`, `${'i'.repeat(32)}@x`])(
  'the tag %j is an empty record',
  (text) => {
    const tags: Record<string, string> = text === undefined ? {} : { [PROVEN_TAG]: text };

    expect(parseProofRecord(tags)).toEqual({ proven: [], refused: undefined });
  },
);

test('its tags are short enough for AWS, and have its characters, whatever the ids', () => {
  const longest = ['a', 'b', 'c', 'd'].map((letter) => versionOf(letter.repeat(64)));
  const tags = proofRecordTags({ proven: longest, refused: longest[0] });

  expect(Object.keys(tags).sort()).toEqual([PROVEN_TAG, REFUSED_TAG]);
  Object.values(tags).forEach((value) => expect(value).toMatch(/^[\w+\-=.:/@ ]{1,255}$/));

  const unusual = { proven: [versionOf('an id@1 of “others”, with 32 characters')], refused: undefined };
  expect(proofRecordTags(unusual)[PROVEN_TAG]).toMatch(/^[\w=-]{1,240}@\d+$/);
  expect(parseProofRecord(proofRecordTags(unusual))).toEqual(unusual);
});

test.each(['~', '%', '中', '\ud800'])(
  'an id of 64 times %j keeps no other entry from being written',
  (character) => {
    const [usual, unusual, last] = ['a'.repeat(64), character.repeat(64), 'b'.repeat(64)].map(versionOf);
    const tags = proofRecordTags({ proven: [usual!, unusual!, last!], refused: unusual });

    Object.values(tags).forEach((value) => expect(value).toMatch(/^[\w+\-=.:/@ ]{1,255}$/));
    expect(parseProofRecord(tags)?.proven).toEqual([usual, last]);
  },
);

test('a version is the same only if it was created at the same time', () => {
  expect(isSameVersion(versionOf('a'), judgedVersion('a', NOON_SEC * 1000))).toBe(true);
  expect(isSameVersion(versionOf('a'), judgedVersion('a', NOON_SEC * 1000 - 1))).toBe(false);
  expect(isSameVersion(versionOf('a'), versionOf('b'))).toBe(false);
  expect(isSameVersion(undefined, undefined)).toBe(false);
});
