import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { issuerProfile } from '../../../lib/options/issuer-profile-settings';
import { readShelfProfile, shelfNames } from '../../../lib/options/issuer-shelf';
import { parseConfiguration } from '../../../lib/options/load';

const ROOT = join(__dirname, '../../..');

describe('the shipped profiles', () => {
  it.each(shelfNames())('have the form of a profile, with the name of its file: %s', (name) => {
    expect(issuerProfile.safeParse(readShelfProfile(name))).toMatchObject({
      success: true,
      data: { name },
    });
  });

  it.each(['unknown', '../shelf/auth0'])('have none by the name %j', (name) => {
    expect(readShelfProfile(name)).toBeUndefined();
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
