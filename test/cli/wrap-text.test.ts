import { wrapText } from '../../cli/wrap-text';

test('words fill lines up to the width', () => {
  expect(wrapText('one two  three\nfour', 8)).toEqual(['one two', 'three', 'four']);
});

test('a command in backquotes stays on one line, with the punctuation after it', () => {
  expect(wrapText('Run `latchkey doctor --fix`. Then wait.', 12)).toEqual([
    'Run',
    '`latchkey doctor --fix`.',
    'Then wait.',
  ]);
});

test('an unclosed backquote is an ordinary character', () => {
  expect(wrapText('an ` alone', 80)).toEqual(['an ` alone']);
});

test('an empty text has no lines', () => {
  expect(wrapText('', 80)).toEqual([]);
});
