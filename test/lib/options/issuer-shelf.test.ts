import { readShelfProfile, shelfNames } from '../../../lib/options/issuer-shelf';

describe('the shipped profiles', () => {
  it('have the names of their files', () => {
    expect(shelfNames()).toContain('auth0');
    for (const name of shelfNames()) expect(readShelfProfile(name)).toMatchObject({ name });
  });

  it.each(['unknown', '../shelf/auth0', 'auth0.json', ''])('have none by the name %j', (name) => {
    expect(readShelfProfile(name)).toBeUndefined();
  });
});
