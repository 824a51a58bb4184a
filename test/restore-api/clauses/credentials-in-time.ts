import { answered, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type ClauseCase } from './clause';

const UNAUTHORIZED = refused(401, 'unauthorized');
const OLD = 'key-of-before';
const NEW = 'key-of-now';
const caller =
  (apiKey: string) =>
  ({ api, tenant }: ClauseWorld) => ({ authorization: api.basic({ ...tenant, apiKey }) });

/** API keys over time: validity, rotation and the grace of one day. */
export const CASES: readonly ClauseCase[] = [
  {
    id: 'C550',
    clause: 'Generated API key, validUntil',
    title: 'an expired key',
    given: { arrange: (world) => world.hold('api-key', { current: { value: world.apiKey(NEW, -0.01) } }) },
    call: caller(NEW),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C551',
    clause: 'Generated API key, validUntil',
    title: 'a key that is about to expire',
    given: { arrange: (world) => world.hold('api-key', { current: { value: world.apiKey(NEW, 0.01) } }) },
    call: caller(NEW),
    expected: restored(),
  },
  {
    id: 'C553',
    clause: 'Generated API key, validUntil',
    title: 'the previous key within the grace, but expired',
    given: {
      arrange: (world) =>
        world.hold('api-key', {
          current: { value: world.apiKey(NEW) },
          previous: { value: world.apiKey(OLD, -1) },
        }),
    },
    call: caller(OLD),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C554',
    clause: 'HTTP Basic, username and password',
    title: 'the previous key, 23 hours after the rotation',
    given: {
      arrange: (world) =>
        world.hold('api-key', {
          current: { value: world.apiKey(NEW), createdHoursAgo: 23 },
          previous: { value: world.apiKey(OLD), createdHoursAgo: 2000 },
        }),
    },
    call: caller(OLD),
    expected: restored(),
  },
  {
    id: 'C555',
    clause: 'HTTP Basic, username and password',
    title: 'the previous key, 25 hours after the rotation',
    given: {
      arrange: (world) =>
        world.hold('api-key', {
          current: { value: world.apiKey(NEW), createdHoursAgo: 25 },
          previous: { value: world.apiKey(OLD), createdHoursAgo: 2000 },
        }),
    },
    call: caller(OLD),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C556',
    clause: 'HTTP Basic, username and password',
    title: 'the previous key, when the new one was staged long before it was promoted',
    given: {
      arrange: (world) =>
        world.hold(
          'api-key',
          {
            current: { value: world.apiKey(NEW), createdHoursAgo: 48 },
            previous: { value: world.apiKey(OLD), createdHoursAgo: 2000 },
          },
          { rotatedHoursAgo: 1 },
        ),
    },
    call: caller(OLD),
    expected: restored(),
  },
  {
    id: 'C557',
    clause: 'HTTP Basic, username and password',
    title: 'no API key is loaded: the secret has no version',
    given: { arrange: (world) => world.hold('api-key', {}) },
    call: ({ api }) => ({ authorization: api.basic() }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C558',
    clause: 'HTTP Basic, username and password',
    title: 'a previous key without a current one',
    given: { arrange: (world) => world.hold('api-key', { previous: { value: world.apiKey(OLD) } }) },
    call: caller(OLD),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C559',
    clause: 'HTTP Basic, username and password',
    title: 'a new key works at once, even though the old one was just read',
    given: {
      arrange: async (world) => {
        world.hold('api-key', { current: { value: world.apiKey(OLD) } });
        await world.api.call({ contentId: '0'.repeat(24), ...caller(OLD)(world) });
        world.api.sandbox.received.length = 0;
        world.hold('api-key', { current: { value: world.apiKey(NEW) } });
      },
    },
    call: caller(NEW),
    expected: restored(),
  },
  {
    id: 'C560',
    clause: 'HTTP Basic, username and password',
    title: 'the secret’s value is not an API key',
    given: { arrange: (world) => world.hold('api-key', { current: { value: NEW } }) },
    call: caller(NEW),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C561',
    clause: 'Common rules, 2',
    title: 'no log line contains the credential of a refused caller',
    call: caller('a-key-that-somebody-guessed'),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C562',
    clause: 'Common rules, 2',
    title: 'no log line contains the token of a request that failed',
    given: { faults: [{ reset: 'before' }] },
    expected: answered(0, 504, 'outcome_unknown'),
  },
];
