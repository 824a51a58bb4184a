import { showArgument, showFile } from '../../cli/safe-text';

describe('an argument in a message', () => {
  it.each(['staging', 'one', 'eu-west-2_AbcdEfghI', 'ap-southeast-2_AbcdEfghI'])(
    'is shown if it is a name such as %s',
    (name) => {
      expect(showArgument(name)).toBe(name);
    },
  );

  it.each([
    ['q7Zrcanary9f2LkWx3Vb', 'something else'],
    ['3f0c9a52-7d1e-4b0a-9c55-0d7c1f1a2b3c', 'something else'],
    ['eu-west-2_AbcdEfghIJ', 'something else'],
    ['short & odd', 'something else'],
    ['', 'an empty text'],
  ])('%j is shown as %s', (text, shown) => {
    expect(showArgument(text)).toBe(shown);
  });

  it('is shown if it is an existing file, or ends in .json', () => {
    expect(showFile(__filename)).toBe(__filename);
    expect(showFile('/nowhere/latchkey.json')).toBe('/nowhere/latchkey.json');
    expect(showFile('/nowhere/q7Zr-canary-9f2LkW')).toBe('the named file');
  });
});
