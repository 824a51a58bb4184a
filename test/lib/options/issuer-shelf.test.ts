import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { buildSync } from 'esbuild';

import { issuerProfile } from '../../../lib/options/issuer-profile-settings';
import * as shelf from '../../../lib/options/issuer-shelf';
import { parseConfiguration } from '../../../lib/options/load';

const ROOT = join(__dirname, '../../..');

describe('the shipped profiles', () => {
  it.each(shelf.shelfNames())('have the form of a profile, with the name of its file: %s', (name) => {
    expect(issuerProfile.safeParse(shelf.readShelfProfile(name))).toMatchObject({
      success: true,
      data: { name },
    });
  });

  it.each(['unknown', '../shelf/auth0'])('have none by the name %j', (name) => {
    expect(shelf.readShelfProfile(name)).toBeUndefined();
  });

  // The package has the folder at the same path as a checkout.
  it.each(['dist/latchkey.js', 'dist/constructs/index.js'])('are found from %s', (file) => {
    const [built] = buildSync({
      entryPoints: [join(ROOT, 'lib/options/issuer-shelf.ts')],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
    }).outputFiles;
    const module = { exports: {} as typeof shelf };
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    const run = new Function('module', 'require', '__dirname', built!.text) as (...values: unknown[]) => void;

    run(module, require, dirname(join(ROOT, file)));

    expect(module.exports.shelfNames()).toEqual(shelf.shelfNames());
  });
});

const examplesIn = (page: string) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```json\n([^]*?)```/gm)].map(
    ([, text]) => JSON.parse(text!) as unknown,
  );

it('the example of the README is a configuration', () => {
  const [configuration] = examplesIn('README.md');

  expect(parseConfiguration(configuration, 'README.md')).toMatchObject({
    deployments: [{ issuer: 'entra-id' }],
  });
});

it('the examples of the page are a deployment and a profile', () => {
  const [deployment, profile] = examplesIn('docs/issuers.md');

  expect(parseConfiguration({ deployments: [deployment] }, 'docs/issuers.md')).toMatchObject({
    deployments: [{ issuer: 'auth0' }],
  });
  expect(issuerProfile.parse(profile)).toMatchObject({ name: 'example' });
});
