/** Matches the names of secrets and of values derived from them. */
const SECRET = '/(secret|key|token|digest|sha256|password|signature|authorization|credentials?)$/i';
/** Where an expression's name is in the syntax tree, below calls, `!` and `?.`. */
const NAMES = ['', 'callee.', 'expression.', 'expression.callee.', 'callee.expression.'].flatMap((below) => [
  `${below}name`,
  `${below}property.name`,
]);

const isSecret = (side) => NAMES.map((name) => `[${side}.${name}=${SECRET}]`);
/** A value in the source code is not secret. */
const isFixed = (side) => `[${side}.type='Literal'], [${side}.type='Identifier'][${side}.name='undefined']`;
const comparison = (node, sides) =>
  `${node}:matches(${sides.flatMap(isSecret).join()}):not(${sides.map(isFixed).join()})`;

const message =
  'The duration of this comparison reveals how much of a secret is right. Use timingSafeEqual, or say why nobody can learn from it.';

/** Options of `no-restricted-syntax` that forbid comparisons whose duration depends on a secret (threat T6). */
module.exports = [
  { selector: comparison('BinaryExpression[operator=/^[=!]==?$/]', ['left', 'right']), message },
  {
    selector: comparison(
      'CallExpression[callee.property.name=/^(compare|endsWith|equals|includes|indexOf|lastIndexOf|localeCompare|startsWith)$/]',
      ['callee.object', 'arguments.0', 'arguments.1'],
    ),
    message,
  },
];
