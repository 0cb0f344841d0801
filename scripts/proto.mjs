// Makes proto/gen anew from proto/svc and leaves the stamp that a test compares: what was generated is what is declared.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { protoStamp } from './proto-stamp.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
rmSync(path.join(root, 'proto', 'gen'), { recursive: true, force: true });
const made = spawnSync('npx', ['--yes', '@bufbuild/buf@1.75.0', 'generate'], { cwd: root, stdio: 'inherit' });
if (made.status !== 0) process.exit(made.status ?? 1);
writeFileSync(path.join(root, 'proto', 'gen', 'stamp.txt'), protoStamp(root));
