import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type AppRun, runApp } from '../../support/lib/app-process';
import { written, type WrittenConfiguration } from '../../support/lib/configuration';
import { temporaryFolder } from '../../support/lib/synthesis';

/** Runs the app as the CDK command does. */
function synthesizing(value: WrittenConfiguration): AppRun {
  const folder = temporaryFolder();
  const file = join(folder, 'configuration.json');
  writeFileSync(file, JSON.stringify(value));
  return runApp(join(folder, 'out'), { LATCHKEY_CONFIG: file });
}

describe('a synthesis', () => {
  it('prints the size, price and quotas of each deployment to standard error', () => {
    const { deployments, ...rest } = written();
    const both = [deployments[0]!, { ...deployments[0]!, platformRegion: 'mea' as const, tenants: [] }];

    const { status, stdout, stderr } = synthesizing({ ...rest, deployments: both });

    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toMatch(/^staging global: 1 tenant, 1 token\n {2}price {3}about USD \d+\.\d\d a month: /);
    expect(stderr).toMatch(/\nstaging mea: 0 tenants, 0 tokens\n/);
    expect(stderr).toContain('36–96 of 100 versions per token secret in 24 h');
    expect(stderr).toContain('of 10,000 secret reads per second');
    expect(stderr.split('\n').every((line) => line.length <= 140)).toBe(true);
  });

  it('prints nothing for a local configuration', () => {
    const loopback = 'https://127.0.0.1:8443/staging/global';
    const { deployments } = written({ account: undefined, region: undefined });
    const deploymentKey = { contentBaseUrl: `${loopback}/rest/v1`, contentTokenBaseUrl: `${loopback}/auth` };

    const { status, stderr } = synthesizing({
      local: true,
      endpoints: { staging: { global: deploymentKey } },
      deployments,
    });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
