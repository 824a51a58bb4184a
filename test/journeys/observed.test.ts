import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';

import { bundlingOncePerRun } from '../support/bundling-once-per-run';
import { PROJECT_ROOT } from './support/local-process';
import { type Place, placeOf } from './support/journeys';
import { basicOf, restoreUrl } from './support/restore-calls';
import { RunningSystem } from './support/running-system';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

let folder: string;
let system: RunningSystem;
let place: Place;

/** An app with keys of the company, a subscription, signed code, and a layer that traces. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-observed-'));
  const app = join(PROJECT_ROOT, 'test/journeys/support/foreign-app.ts');
  execFileSync(process.execPath, ['--require', 'tsx/cjs', app, folder, 'observed'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...bundlingOncePerRun(), CDK_VALIDATION: 'false' },
  });
  system = await RunningSystem.startAsUsersDo(['--assembly', folder]);
  place = placeOf(system, 'staging', 'global');
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

it('a restore is recorded as a trace, and its answer has the id that the caller gave it', async () => {
  const [contentId] = place.tenant.archivedContentIds;

  const answer = await system.send('POST', restoreUrl(place, contentId!), {
    headers: {
      authorization: await basicOf(place),
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({ authorRef: place.tenant.authorRefs[0] }),
  });

  expect(answer.status).toBe(200);
  expect(answer.headers['x-amzn-trace-id']).toMatch(/;Sampled=1$/);
  expect(await linesOf('LatchkeyRestoreLogs')).toContainEqual(
    expect.stringContaining(`"traceId":"${TRACE}"`),
  );
});

it('the lines of functions and of the access log are collected, encrypted with a key of the company', async () => {
  await system.advance(0);

  const collected = await linesOf('Collector');
  for (const group of ['RestoreLogs', 'RestoreAuthorizer', 'RestoreAccessLogs', 'RotateC']) {
    const lines = await linesOf(group);
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(collected).toContainEqual(expect.stringContaining(`: ${line}`));
  }
});

/** The lines of the log group whose name has this in it. */
async function linesOf(part: string): Promise<string[]> {
  const { logGroups = [] } = await system.administrator.logs.send(new DescribeLogGroupsCommand({}));
  const [group] = logGroups.filter(({ logGroupName = '' }) => logGroupName.includes(part));
  return system.logLines(group!.logGroupName!);
}
