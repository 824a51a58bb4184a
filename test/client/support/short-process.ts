/** A program that asks for a token twice. The second call starts a background renewal that gets no response. */
import { createTokenSource } from '../../../client';
import { systemClock } from '../../../client/clock';
import { ClientClock } from './client-clock';
import { FakeAws, KEY, MINUTE_MS } from './fake-aws';

const aws = new FakeAws(new ClientClock(Date.now()));
aws.store(15 * MINUTE_MS);
const tokens = createTokenSource({ ...aws.options(), clock: systemClock });

async function run(): Promise<void> {
  await tokens.getToken(KEY);
  aws.latency = () => new Promise(() => undefined);
  await tokens.getToken(KEY);
  process.stdout.write(`${aws.reads.length} reads\n`);
}

void run();
