import vm from 'node:vm';

/** Compiles a module as jest does for a test file, whose context has this name. */
function compileFor(file: string, filename: string, code: string): (module: { exports?: unknown }) => void {
  const parsingContext = vm.createContext({ file });
  return vm.compileFunction(code, ['module'], { filename, parsingContext }) as ReturnType<typeof compileFor>;
}

it('compiles a module once for all test files', () => {
  const run = jest.spyOn(vm.Script.prototype, 'runInContext');

  for (const file of ['first', 'second']) compileFor(file, '/once.js', 'module.exports = 1;');
  compileFor('third', '/once.js', 'module.exports = 2;');
  const [first, second, third] = run.mock.contexts as unknown[];
  run.mockRestore();

  expect(second).toBe(first);
  expect(third).toBeInstanceOf(vm.Script);
  expect(third).not.toBe(first);
});

it('gives each test file a module of its own, in its own context', () => {
  const code = 'let calls = 0; module.exports = () => [file, ++calls];';
  const [first, second] = ['first', 'second'].map((file) => {
    const module: { exports?: () => unknown } = {};
    compileFor(file, '/own.js', code)(module);
    return module.exports!;
  });

  expect([first!(), first!(), second!()]).toEqual([
    ['first', 1],
    ['first', 2],
    ['second', 1],
  ]);
});

it('leaves line and column of an error as they are in the module', () => {
  const places = ['throw new Error();', '\n  throw new Error();'].map((code) => {
    try {
      compileFor('first', '/failing.js', code)({});
    } catch (error) {
      return /failing\.js:\d+:\d+/.exec((error as Error).stack!)?.[0];
    }
    return undefined;
  });

  expect(places).toEqual(['failing.js:1:7', 'failing.js:2:9']);
});
