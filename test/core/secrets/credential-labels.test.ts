import { lackedTokenTypes, lacksLabels, testLabelsIn } from '../../../core/secrets/credential-labels';

const USERS = { interface: 'api', scope: 'read:users' };
const PLAIN = { interface: 'api', scope: '' };
const CONTENT = { interface: 'content', scope: 'api/write' };

describe('the labels for what a credential lacks', () => {
  test('name the token types, of any issuer', () => {
    expect(lacksLabels([CONTENT], undefined)).toEqual(['LATCHKEY_LACKS_content/api-write']);
    expect(lacksLabels([USERS, PLAIN], 'auth0')).toEqual([
      'LATCHKEY_LACKS_api/read=3Ausers',
      'LATCHKEY_LACKS_api',
    ]);
  });

  test('say which they are', () => {
    const labels = ['LATCHKEY_REFUSED', ...lacksLabels([USERS, PLAIN], 'auth0'), 'AWSPENDING'];

    expect(lackedTokenTypes(labels)).toEqual([USERS, PLAIN]);
    expect(lackedTokenTypes(lacksLabels([CONTENT], undefined))).toEqual([CONTENT]);
    expect(testLabelsIn(labels)).toEqual(labels.slice(0, 3));
  });

  test('are few and short enough for AWS', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ interface: 'api', scope: `scope-${index}` }));

    expect(lacksLabels(many, 'auth0')).toHaveLength(5);
    expect(lacksLabels([{ interface: 'api', scope: 'a'.repeat(250) }, USERS], 'auth0')).toEqual(
      lacksLabels([USERS], 'auth0'),
    );
  });

  test('are read even if nobody could have meant them', () => {
    expect(lackedTokenTypes(['LATCHKEY_LACKS_', 'LATCHKEY_LACKS_=FF=zz'])).toHaveLength(2);
  });
});
