import {
  type Case,
  type Expected,
  type Given,
  refused,
  restored,
} from '../../support/restore-api/clause-case';
import { type ClauseWorld, type HeldVersion } from '../../support/restore-api/clause-world';
import { type Clauses } from './clause';

const UNAUTHORIZED = refused(401, 'unauthorized');
const OLD = 'key-of-before';
const NEW = 'key-of-now';

type Key = [apiKey: string, validForHours?: number, createdHoursAgo?: number];

/** Stores these API keys. */
function held(current?: Key, previous?: Key, rotation?: { rotatedHoursAgo: number }) {
  return (world: ClauseWorld) => {
    const versionOf = (key: Key | undefined): HeldVersion | undefined =>
      key && { value: world.apiKey(key[0], key[1]), createdHoursAgo: key[2] ?? 0 };
    world.hold('api-key', { current: versionOf(current), previous: versionOf(previous) }, rotation);
  };
}

const presented =
  (apiKey: string) =>
  ({ api, tenant }: ClauseWorld) => ({ authorization: api.basic({ ...tenant, apiKey }) });
const caseOf = (apiKey: string, expected: Expected, arrange: Given['arrange']): Case => ({
  given: { arrange },
  call: presented(apiKey),
  expected,
});

/** API keys over time: validity, rotation and the grace of one day. */
export const CREDENTIALS_IN_TIME: Clauses = {
  'Generated API key, validUntil': {
    'an expired key': caseOf(NEW, UNAUTHORIZED, held([NEW, -0.01])),
  },
  'HTTP Basic, username and password': {
    'the previous key, 23 h later': caseOf(OLD, restored(), held([NEW, 24, 23], [OLD, 24, 2000])),
    'the previous key, when the new one was staged long before it was promoted': caseOf(
      OLD,
      restored(),
      held([NEW, 24, 48], [OLD, 24, 2000], { rotatedHoursAgo: 1 }),
    ),
    'no API key is loaded: the secret has no version': caseOf(NEW, UNAUTHORIZED, held()),
    'a new key works at once, even though the old one was just read': caseOf(
      NEW,
      restored(),
      async (world) => {
        held([OLD])(world);
        await world.api.call({ contentId: '0'.repeat(24), ...presented(OLD)(world) });
        world.api.sandbox.received.length = 0;
        held([NEW])(world);
      },
    ),
  },
  'Common rules, 2': {
    'a guess, which no log line contains': { call: presented('a-guessed-key'), expected: UNAUTHORIZED },
  },
};
