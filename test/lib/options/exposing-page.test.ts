import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseConfiguration } from '../../../lib/options/load';
import { restoreApi } from '../../../lib/options/restore-api-settings';
import { tenant, type WrittenDeployment, written } from '../../support/lib/configuration';

const PAGE = readFileSync(join(__dirname, '../../../docs/exposing-the-restore-api.md'), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/^## (.+?)$[^]*?^```json\n([^]*?)^```$/gm)].map(
  ([, section, example]): [string, Partial<WrittenDeployment>] => [
    section!,
    JSON.parse(example!) as Partial<WrittenDeployment>,
  ],
);

describe('docs/exposing-the-restore-api.md', () => {
  it.each(EXAMPLES)('%s: its example is a valid deployment', (_, example) => {
    const anywhere = { account: undefined, region: undefined, tenants: [tenant('eu-west-2_Live')] };

    const { deployments } = parseConfiguration(written({ ...anywhere, ...example }), 'the example');

    expect(deployments[0]).toMatchObject(example);
  });

  it('has an example of every edge setting', () => {
    const shown = new Set(EXAMPLES.flatMap(([, example]) => Object.keys(example.restoreApi ?? {})));

    const others = ['enabled', 'apiKeyGraceHours', 'auditRetentionDays'];
    expect([...shown].sort()).toEqual(
      Object.keys(restoreApi.shape)
        .filter((name) => !others.includes(name))
        .sort(),
    );
  });
});
