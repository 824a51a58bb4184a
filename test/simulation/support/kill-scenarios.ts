import { MINUTE_MS } from '../../support/lambdas/token-functions';
import { type Errand, ensureErrand, type KillWorld, sweepErrand } from './kill-world';
import { answer } from './simulated-platform';
import { serviceException } from '../../support/aws/simulated-secrets-manager';

/** A renewal that is killed at each of its calls. */
export interface KillScenario {
  name: string;
  /** Prepares the world, and says what the process is started for. */
  arrange(world: KillWorld): Promise<Errand>;
  /** The calls of a process that nobody kills. */
  calls: string[];
  /** Versions that the token secret has in the end, killed or not. */
  versions: number;
}

const RENEWAL = ['GetSecretValue', 'GetSecretValue', 'token request', 'PutSecretValue'];

/** Stores a token, and lets time pass until so much is left of its life. */
async function storeToken(world: KillWorld, lifeLeftMin: number): Promise<void> {
  await world.elsewhere(ensureErrand());
  world.clock.advance((60 - lifeLeftMin) * MINUTE_MS);
}

/** Lets another process renew the token just before the coming write. */
function renewElsewhere(world: KillWorld, errand: Errand, lifeSec: number): void {
  world.writes.push(async (write) => {
    world.platform.script.unshift(lifeSec);
    await world.elsewhere(errand);
    return write();
  });
}

/** All ways that a renewal can go. */
export const KILL_SCENARIOS: KillScenario[] = [
  {
    name: 'first load',
    arrange: async () => ensureErrand(),
    calls: ['GetSecretValue', 'DescribeSecret', 'GetSecretValue', 'token request', 'PutSecretValue'],
    versions: 1,
  },
  {
    name: 'renewal, the platform failing twice before',
    arrange: async (world) => {
      await storeToken(world, 15);
      world.platform.script.push(answer(503, {}), answer(500, {}));
      return ensureErrand();
    },
    calls: [
      ...['GetSecretValue', 'GetSecretValue', 'token request', 'wait', 'token request', 'wait'],
      ...['token request', 'PutSecretValue'],
    ],
    versions: 2,
  },
  {
    name: 'renewal by a sweep',
    arrange: async (world) => {
      await storeToken(world, 15);
      return sweepErrand;
    },
    calls: ['DescribeSecret', ...RENEWAL],
    versions: 2,
  },
  {
    name: 'forced renewal',
    arrange: async (world) => {
      await storeToken(world, 50);
      return ensureErrand(world.current);
    },
    calls: RENEWAL,
    versions: 2,
  },
  {
    name: 'write throttled, then done without an acknowledgement',
    arrange: async (world) => {
      await storeToken(world, 15);
      world.writes.push(
        () => Promise.reject(serviceException('ThrottlingException')),
        async (write) => {
          await write();
          throw serviceException('InternalServiceError');
        },
      );
      return ensureErrand();
    },
    calls: [...RENEWAL, 'wait', 'PutSecretValue', 'wait', 'PutSecretValue'],
    versions: 2,
  },
  {
    name: 'conflict with another writer, whose token serves',
    arrange: async (world) => {
      await storeToken(world, 50);
      const errand = ensureErrand(world.current);
      renewElsewhere(world, errand, 3600);
      return errand;
    },
    calls: [...RENEWAL, 'GetSecretValue'],
    versions: 2,
  },
  {
    name: 'conflict with another writer, whose token is due already',
    arrange: async (world) => {
      await storeToken(world, 15);
      renewElsewhere(world, ensureErrand(), 1000);
      return ensureErrand();
    },
    calls: [...RENEWAL, 'GetSecretValue', 'PutSecretValue'],
    versions: 3,
  },
  {
    name: 'credential rotated',
    arrange: async (world) => {
      await storeToken(world, 50);
      world.loadCredential('second');
      return sweepErrand;
    },
    calls: ['DescribeSecret', ...RENEWAL],
    versions: 2,
  },
];
