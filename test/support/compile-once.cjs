const vm = require('node:vm');

const { compileFunction } = vm;
const compiled = new Map();

/**
 * Makes Node compile each module once per worker. Jest loads all modules anew for each test file, and would compile them, too.
 * A compiled script has no state: each file runs it in a context of its own.
 * @see https://nodejs.org/docs/latest-v20.x/api/vm.html#class-vmscript
 */
vm.compileFunction = function compileOnce(code, parameters, options = {}) {
  const { filename, parsingContext } = options;
  if (parsingContext === undefined) return compileFunction(code, parameters, options);
  const before = `(function (${parameters.join(', ')}) {`;
  const known = compiled.get(filename);
  if (known?.code === code && known.before === before) return known.script.runInContext(parsingContext);
  // Line and column of an error stay those of the module.
  const script = new vm.Script(`${before}${code}\n})`, { filename, columnOffset: -before.length });
  compiled.set(filename, { code, before, script });
  return script.runInContext(parsingContext);
};
