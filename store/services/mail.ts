import { MailService } from '../../proto/gen/svc/v1/mail.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import { changeTemplates, showTemplates, testTemplate, type TemplateDeps } from '../mail/manage-templates.ts';
import { testSettings } from '../mail/test-settings.ts';
import type { Credentials } from '../principal/credentials.ts';
import { HttpServing } from './http-service.ts';

/** Adds the mail service to `server`; for root and the admin key. */
export function addMail(server: RpcServer, deps: TemplateDeps & { readonly credentials: Credentials }): void {
  const serve = new HttpServing<TemplateDeps>(deps, deps.credentials);
  server.add(MailService, {
    showTemplates: serve.privileged(showTemplates),
    changeTemplates: serve.privileged(changeTemplates),
    testTemplate: serve.privileged(testTemplate),
    testSettings: serve.privileged(testSettings),
  });
}
