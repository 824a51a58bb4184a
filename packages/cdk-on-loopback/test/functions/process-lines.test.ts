import { PassThrough } from 'node:stream';
import { ProcessLines } from '../../src/functions/process-lines';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('waits until every stream has reached the end marker', async () => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  const reader = new ProcessLines([out, err], (line) => lines.push(line));
  let isComplete = false;

  void reader.allOf('r1').then(() => (isComplete = true));
  out.write('one\n\0end r1\n');
  await settle();
  expect(isComplete).toBe(false);
  err.write('two\n\0end r1\n');
  await settle();

  expect(isComplete).toBe(true);
  expect(lines).toEqual(['one', 'two']);
});

test('resolves at once if the lines came before the call', async () => {
  const out = new PassThrough();
  const reader = new ProcessLines([out], () => undefined);
  out.write('\0end r1\n');
  await settle();

  await expect(reader.allOf('r1')).resolves.toBeUndefined();
});

test('joins lines and characters that arrive in pieces, and keeps empty lines', async () => {
  const out = new PassThrough();
  const lines: string[] = [];
  new ProcessLines([out], (line) => lines.push(line));
  const bytes = Buffer.from('grün\n\nopen');

  for (const byte of bytes) out.write(Buffer.from([byte]));
  out.end();
  await settle();

  expect(lines).toEqual(['grün', '', 'open']);
});
