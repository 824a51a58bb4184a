/** `npm start`, as one built file, which starts faster than its sources. Builds it first if they have changed. */
const { upToDate } = require('../tools/builds/programs.cjs');

function program() {
  try {
    return upToDate('npm-start');
  } catch (error) {
    console.error(`latchkey: npm start cannot be built: ${error.message}`);
    process.exit(1);
  }
}

require(program());
