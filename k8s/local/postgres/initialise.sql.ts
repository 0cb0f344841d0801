/** The role and the database of the service: an owner of its own database, no superuser. */
export const serviceName = 'svc';

/** The service's own role and database, one statement a line, as single-user mode wants them. The password is made of letters and digits only. */
export function serviceStatements(password: string): string {
  return `create role ${serviceName} login password '${password}'\ncreate database ${serviceName} owner ${serviceName}\n`;
}
