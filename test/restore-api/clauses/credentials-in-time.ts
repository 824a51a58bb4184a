import { type Expected, type Given, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld, type HeldVersion } from '../../support/restore-api/clause-world';
import { type ClauseCase } from './clause';

const PASSWORD = 'HTTP Basic, username and password';
const VALID_UNTIL = 'Generated API key, validUntil';
const UNAUTHORIZED = refused(401, 'unauthorized');
const OLD = 'key-of-before';
const NEW = 'key-of-now';

type Key = [apiKey: string, validForHours?: number, createdHoursAgo?: number];

const caller =
  (apiKey: string) =>
  ({ api, tenant }: ClauseWorld) => ({ authorization: api.basic({ ...tenant, apiKey }) });

/** Holds these keys. */
function held(current?: Key, previous?: Key, rotation?: { rotatedHoursAgo: number }): Given['arrange'] {
  return (world) => {
    const versionOf = (key: Key | undefined): HeldVersion | undefined =>
      key && { value: world.apiKey(key[0], key[1]), createdHoursAgo: key[2] ?? 0 };
    world.hold('api-key', { current: versionOf(current), previous: versionOf(previous) }, rotation);
  };
}

const ROWS: readonly [
  ClauseCase['id'],
  ClauseCase['clause'],
  title: string,
  apiKey: string,
  Expected,
  Given['arrange'],
][] = [
  ['C550', VALID_UNTIL, 'an expired key', NEW, UNAUTHORIZED, held([NEW, -0.01])],
  ['C554', PASSWORD, 'the previous key, 23 h later', OLD, restored(), held([NEW, 24, 23], [OLD, 24, 2000])],
  [
    'C556',
    PASSWORD,
    'the previous key, when the new one was staged long before it was promoted',
    OLD,
    restored(),
    held([NEW, 24, 48], [OLD, 24, 2000], { rotatedHoursAgo: 1 }),
  ],
  ['C557', PASSWORD, 'no API key is loaded: the secret has no version', NEW, UNAUTHORIZED, held()],
  [
    'C559',
    PASSWORD,
    'a new key works at once, even though the old one was just read',
    NEW,
    restored(),
    async (world) => {
      await held([OLD])!(world);
      await world.api.call({ contentId: '0'.repeat(24), ...caller(OLD)(world) });
      world.api.sandbox.received.length = 0;
      await held([NEW])!(world);
    },
  ],
  [
    'C561',
    'Common rules, 2',
    'a guess, which no log line contains',
    'a-guessed-key',
    UNAUTHORIZED,
    undefined,
  ],
];

/** API keys over time: validity, rotation and the grace of one day. */
export const CASES: readonly ClauseCase[] = ROWS.map(
  ([id, clause, title, apiKey, expected, arrange]): ClauseCase => ({
    id,
    clause,
    title,
    ...(arrange && { given: { arrange } }),
    call: caller(apiKey),
    expected,
  }),
);
