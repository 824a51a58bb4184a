import { answered, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type ClauseCase } from './clause';
import { broken } from './product';

const UNAUTHORIZED = refused(401, 'unauthorized');
const OLD = 'key-of-before';
const NEW = 'key-of-now';
const caller =
  (apiKey: string) =>
  ({ api, tenant }: ClauseWorld) => ({ authorization: api.basic({ ...tenant, apiKey }) });

const NO_VALIDITY = broken('acceptedSecrets', 'Math.min(Date.parse(key.validUntil), untilMs)', 'untilMs');
const NO_GRACE_END = broken(
  'acceptedSecrets',
  'Math.min(Date.parse(key.validUntil), untilMs)',
  'Date.parse(key.validUntil)',
);
const NO_PREVIOUS = broken('acceptedSecrets', ', ...acceptedKey(previous, graceEndsAtMs)', '');

/** API keys over their life: validity, rotation and its grace of a day. */
export const CASES: readonly ClauseCase[] = [
  {
    id: 'C550',
    clause: 'Generated API key, validUntil',
    title: 'a key whose validity has ended',
    given: { arrange: (world) => world.hold('api-key', { current: { value: world.apiKey(NEW, -0.01) } }) },
    call: caller(NEW),
    expected: UNAUTHORIZED,
    brokenBy: NO_VALIDITY,
  },
  {
    id: 'C551',
    clause: 'Generated API key, validUntil',
    title: 'a key whose validity is about to end',
    given: { arrange: (world) => world.hold('api-key', { current: { value: world.apiKey(NEW, 0.01) } }) },
    call: caller(NEW),
    expected: restored(),
    brokenBy: broken('acceptedSecrets', '...acceptedKey(current, Infinity), ', ''),
  },
  {
    id: 'C553',
    clause: 'Generated API key, validUntil',
    title: 'the previous key, within the grace but past its validity',
    given: {
      arrange: (world) =>
        world.hold('api-key', {
          current: { value: world.apiKey(NEW) },
          previous: { value: world.apiKey(OLD, -1) },
        }),
    },
    call: caller(OLD),
    expected: UNAUTHORIZED,
    brokenBy: NO_VALIDITY,
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
    brokenBy: NO_PREVIOUS,
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
    brokenBy: NO_GRACE_END,
  },
  {
    id: 'C556',
    clause: 'HTTP Basic, username and password',
    title: 'the previous key of a new one that was staged long before it was promoted',
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
    brokenBy: broken('acceptedSecrets', 'Math.max(LastRotatedDate?.getTime() ?? 0, ', 'Math.max(0, '),
  },
  {
    id: 'C557',
    clause: 'HTTP Basic, username and password',
    title: 'an API key that is not loaded: the secret has no version at all',
    given: { arrange: (world) => world.hold('api-key', {}) },
    call: ({ api }) => ({ authorization: api.basic() }),
    expected: UNAUTHORIZED,
    brokenBy: broken('acceptedSecrets', "if (failure.code === 'not_found') return undefined;", ''),
  },
  {
    id: 'C558',
    clause: 'HTTP Basic, username and password',
    title: 'a previous key without a current one',
    given: { arrange: (world) => world.hold('api-key', { previous: { value: world.apiKey(OLD) } }) },
    call: caller(OLD),
    expected: UNAUTHORIZED,
    brokenBy: broken('acceptedSecrets', 'if (current === undefined) return [];', ''),
  },
  {
    id: 'C559',
    clause: 'HTTP Basic, username and password',
    title: 'a new key works at once, though the old one has just been looked up',
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
    brokenBy: broken('authenticate', 'found !== undefined || wasJustLookedUp', 'true'),
  },
  {
    id: 'C560',
    clause: 'HTTP Basic, username and password',
    title: 'a value in the secret that is no API key',
    given: { arrange: (world) => world.hold('api-key', { current: { value: NEW } }) },
    call: caller(NEW),
    expected: UNAUTHORIZED,
    brokenBy: broken('credentialValues', '    return {};\n', '    throw new Error();\n'),
  },
  {
    id: 'C561',
    clause: 'Common rules, 2',
    title: 'a refused caller’s credential is in no log line',
    call: caller('a-key-that-somebody-guessed'),
    expected: UNAUTHORIZED,
    brokenBy: broken(
      'authorizerHandler',
      "{ code: 'unauthorized', apiRequestId }",
      '{ code: authorization.join(), apiRequestId }',
    ),
  },
  {
    id: 'C562',
    clause: 'Common rules, 2',
    title: 'neither is the token of a request that failed on the way',
    given: { faults: [{ reset: 'before' }] },
    expected: answered(0, 504, 'outcome_unknown'),
    brokenBy: broken(
      'platformContent',
      "'no_answer', reason: error.message",
      "'no_answer', reason: token.accessToken",
    ),
  },
];
