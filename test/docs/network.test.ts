import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { vpcEndpointName } from '../../core/deployment/vpc-endpoints';
import { loadConfiguration } from '../../lib/options/load';
import { CALLS_PLATFORM } from '../../lib/constructs/internal/function-network';
import { provisionSynthesis } from '../support/lib/provisioned';
import { synthesizeOnce } from '../support/lib/synthesis';

const ROOT = join(__dirname, '../..');
/**
 * Services that functions do not call themselves: Lambda writes their log lines, delivers what failed and creates network
 * interfaces, and Secrets Manager uses the key.
 */
const NOT_CALLED = ['ec2', 'kms', 'logs', 'sqs', 'sns', 'xray'];

test('docs/network.md names what each function calls, by the actions that its role allows', () => {
  const { account, roles } = provisionSynthesis(
    synthesizeOnce(loadConfiguration(join(ROOT, 'config/local.json'))),
  );
  const services = new Map<string, Set<string>>();
  for (const { arn, description } of roles) {
    const [, name] = /^Role of ([a-z-]+) of /.exec(description) ?? [];
    if (name === undefined) continue;
    const actions = account.roles
      .get(arn)!
      .inlinePolicies.flatMap(({ document }) => document.Statement)
      .flatMap(({ Action = [] }) => Action);
    const called = services.get(name) ?? new Set<string>();
    for (const action of actions) called.add(action.split(':')[0]!);
    services.set(name, called);
  }
  const rows = [...services].map(([name, called]) => {
    const endpoints = [...called]
      .filter((service) => !NOT_CALLED.includes(service))
      .sort()
      .map((service) => `\`${vpcEndpointName('REGION', service)}\``);
    return `| \`${name}\` | ${endpoints.join(', ')} | ${CALLS_PLATFORM.includes(name) ? 'yes' : 'no'} |`;
  });
  const page = readFileSync(join(ROOT, 'docs/network.md'), 'utf8').replaceAll(/ +/g, ' ');
  const table = /\| Function \|.*?\n((?:\|.*\n)+)/.exec(page)![1]!.trim().split('\n').slice(1);

  expect([...table].sort()).toEqual(rows.sort());
});
