import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Why a text is ignored. */
const TEXT = 'text of a log line or an error';

/**
 * Ignores texts for people: of log lines and errors, and names of error classes. Tests compare codes and
 * classes, since texts may be reworded. A text is a template, or a string with a space; codes have none.
 */
const texts = {
  shouldIgnore(path) {
    if (isErrorName(path)) return TEXT;
    if (!isText(path.node)) return undefined;
    for (let at = path.parentPath; at !== null && !isStatement(at.node); at = at.parentPath) {
      if (isError(at.node) || isLogCall(at.node) || at.node.type === 'ThrowStatement') return TEXT;
    }
    return undefined;
  },
};

const isText = ({ type, value }) =>
  type === 'TemplateLiteral' || (type === 'StringLiteral' && value.includes(' '));
const isStatement = ({ type }) => type.endsWith('Statement') && type !== 'ThrowStatement';
const isErrorName = ({ node, parentPath }) =>
  node.type === 'StringLiteral' &&
  parentPath.node.type === 'ClassProperty' &&
  parentPath.node.key.name === 'name' &&
  /Error$/.test(node.value);
const isError = ({ type, callee }) => type === 'NewExpression' && /Error$/.test(callee.name);
const isLogCall = ({ type, callee }) =>
  type === 'CallExpression' && callee.type === 'MemberExpression' && nameOf(callee.object) === 'log';

/** The name in `log`, `this.log` or `this.#log`. */
const nameOf = ({ name, property }) => name ?? property?.name ?? property?.id?.name;

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'texts', texts)];
