import { wrapText } from '../../cli/wrap-text';

test('words fill lines up to the width', () => {
  expect(wrapText('one two  three\nfour', 8)).toEqual(['one two', 'three', 'four']);
});

test('a command in back-quotes stays whole, with what follows it at once', () => {
  expect(wrapText('Run `latchkey doctor --fix`. Then wait.', 12)).toEqual([
    'Run',
    '`latchkey doctor --fix`.',
    'Then wait.',
  ]);
});

test('a back-quote that is never closed breaks nothing', () => {
  expect(wrapText('an ` alone', 80)).toEqual(['an ` alone']);
});

test('nothing has no lines', () => {
  expect(wrapText('', 80)).toEqual([]);
});
