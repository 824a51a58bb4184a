import { join } from 'node:path';

import { JobError } from '../local/main-job/local-system';
import { StartError } from '../local/supervisor/start-options';
import { supervise } from '../local/supervisor/supervise';
import { upToDate } from '../tools/builds/programs.cjs';

// Silences the SDK's warning about Node 20; on AWS, the functions run on a newer Node.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

supervise(process.argv.slice(2), { projectRoot: join(__dirname, '..'), fileOf: upToDate }).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isExpected = error instanceof StartError || error instanceof JobError;
    console.error(isExpected ? `latchkey: ${error.message}` : error);
    process.exit(1);
  },
);
