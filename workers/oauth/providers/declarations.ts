import type { ProviderDeclaration } from '../declaration.ts';
import type { ProviderKind } from '../provider.ts';
import { apple } from './apple.ts';
import { discord } from './discord.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { google } from './google.ts';
import { microsoft } from './microsoft.ts';
import { oidc } from './oidc.ts';

/** Every kind of provider. */
export const declarations: Readonly<Record<ProviderKind, ProviderDeclaration>> = { apple, discord, github, gitlab, google, microsoft, oidc };
