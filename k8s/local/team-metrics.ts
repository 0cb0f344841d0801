import type { Metrics } from '../../proto/process/metrics.ts';
import { roleNames } from './roles/role-environment.ts';
import type { SupervisedRole } from './roles/supervised-role.ts';

/** The answer brings the metrics about the supervised processes up to date; to be called whenever they are read. */
export function watchTeam(metrics: Metrics, members: () => readonly SupervisedRole[]): () => void {
  const ready = metrics.gauge({ name: 'supervised_ready', help: 'How many supervised processes of the role are ready.', labels: ['role'] });
  const restarts = metrics.gauge({ name: 'supervised_restarts', help: 'How often processes of the role were started again.', labels: ['role'] });
  return () => {
    for (const role of roleNames) {
      const players = members().filter((member) => member.role === role);
      ready.labels({ role }).set(players.filter(({ process }) => process?.readiness.ready === true).length);
      restarts.labels({ role }).set(players.reduce((sum, member) => sum + member.restarts, 0));
    }
  };
}
