#!/usr/bin/env node
/** Starts the command. In a checkout, builds it first if the sources have changed. */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const builder = join(__dirname, '../tools/builds/programs.cjs');
if (existsSync(builder)) {
  const { upToDate } = require(builder);
  const [first, second] = process.argv.slice(2);
  // The programs that a command starts.
  const started = {
    sandbox: ['sandbox'],
    conformance: ['conformance'],
    prove: ['prove'],
    'local start': ['start', 'host', 'sandbox', 'app'],
  };
  try {
    ['latchkey', ...(started[first] ?? started[`${first} ${second}`] ?? [])].forEach(upToDate);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    console.error('latchkey: packages are not installed; run `npm ci --ignore-scripts` first');
    process.exit(1);
  }
}
require(join(__dirname, '../dist/latchkey.js'));
