import { notRun, type Probe } from '../probe';

export const dashboardAddress: Probe = {
  id: 'dashboard-address',
  group: 'alarms',
  subject: "The console's address of a dashboard, in the output `DashboardUrl`",
  reliedOn: 'it opens the dashboard, also in the partitions aws-cn and aws-us-gov',
  otherwise: 'a dead link',
  sources: ['https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html'],
  look: () =>
    Promise.resolve(notRun('by hand: deploy, log in to the console, and open the output DashboardUrl')),
};
